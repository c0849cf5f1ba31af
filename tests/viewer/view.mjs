// `carom view` as a user has it: the pose, a joint and a body moved, a run, a save, an error, the camera kept.
//   node view.mjs [--shots FOLDER] CAROM MODEL [pose|leaves|watch]: MODEL is a copy that this program changes
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { readFile, writeFile } from "node:fs/promises";
import process, { argv, env } from "node:process";
import assert from "node:assert/strict";

const { chromium } = createRequire(env.CAROM_NODE_MODULES ? `${env.CAROM_NODE_MODULES}/` : import.meta.url)("playwright-core");
const shots = argv[2] === "--shots" ? argv.splice(2, 2)[1] : null;
const [carom, model, ...only] = argv.slice(2);

const servers = new Set();

/** The server's address, and the process. */
async function serve(...options) {
  const child = spawn(carom, ["view", model, "--no-open", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  servers.add(child);
  const address = await new Promise((found, failed) => {
    child.stdout.once("data", (data) => found(String(data).trim()));
    child.once("exit", (code) => failed(new Error(`carom view ended with status ${code}`)));
  });
  return { address, end: () => new Promise((done) => child.once("exit", done) && child.kill("SIGTERM")) };
}

const ready = (page, kind) =>
  page.waitForFunction((k) => document.documentElement.dataset.live === k && document.documentElement.dataset.scene, kind);
const picture = async (page, name) => shots && page.screenshot({ path: `${shots}/view-${name}.png` });
const joints = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".live-joints tr")].map((row) => [row.querySelector("th").textContent, Number(row.querySelector("input[type=number]").value)])));

/** A joint by its field, a body by the mouse; the loop stays closed. */
async function moves(page) {
  await page.waitForFunction(() => document.querySelectorAll(".live-joints tr").length > 0);
  const field = page.locator('.live-joints input[type="number"]').first();
  await field.fill("0.8");
  await field.press("Enter");
  await field.blur();
  await page.waitForFunction(() => Math.abs(window.carom.live.page.scene.stage().troupe[0].actor.motion.held?.[1].position.y) > 0.01);
  const first = await joints(page);
  assert.ok(Math.abs(first.main - 0.8) < 1e-6, `the crank is at ${first.main}`);
  // crank of 153 mm, rod of 306 mm: the slider is where the closed form has it
  const place = 0.153 * Math.cos(0.8) + Math.sqrt(0.306 ** 2 - (0.153 * Math.sin(0.8)) ** 2);
  assert.ok(Math.abs(first.guide - place) < 1e-6, `the slider is at ${first.guide}, not ${place}`);
  await picture(page, "moved");
  const at = await page.evaluate(() => {
    const stage = window.carom.live.page.scene.stage();
    const { position } = stage.troupe[0].actor.motion.held[1];
    const shown = position.clone().project(stage.view.camera);
    const box = stage.canvas.getBoundingClientRect();
    return { x: box.left + ((shown.x + 1) / 2) * box.width, y: box.top + ((1 - shown.y) / 2) * box.height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let k = 1; k <= 5; k++) await page.mouse.move(at.x - 6 * k, at.y + 10 * k);
  await page.waitForFunction(() => Math.abs(Number(document.querySelector(".live-joints input[type=number]").value) - 0.8) > 0.05);
  await page.mouse.up();
  const then = await joints(page);
  const rest = 0.153 * Math.cos(then.main) + Math.sqrt(0.306 ** 2 - (0.153 * Math.sin(then.main)) ** 2) - then.guide;
  assert.ok(Math.abs(rest) < 1e-5, `the loop is open by ${rest} m: ${JSON.stringify(then)}`);
}

async function pose(browser) {
  const server = await serve();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.address);
  await ready(page, "pose");
  await picture(page, "pose");
  await moves(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await ready(page, "run");
  assert.ok(await page.evaluate(() => window.carom.runs[0].impacts.length > 0), "the run has impacts");
  await picture(page, "run");
  const refused = await page.request.get(server.address.replace(/view\/../, "view/xx"));
  assert.equal(refused.status(), 404);
  await page.close();
  await server.end();
}

/** Number of the run that is shown. */
const shown = (page) => page.evaluate(() => Number(document.documentElement.dataset.liveNumber));
const other = (page, number) =>
  page.waitForFunction((n) => Number(document.documentElement.dataset.liveNumber) > n && document.documentElement.dataset.scene, number);

/** Writes the model and waits for its run. Returns the seconds from the save to the first picture of it. */
async function save(page, text) {
  const number = await shown(page);
  await page.evaluate(() => performance.clearMarks("carom-exchanged"));
  const saved = Date.now();
  await writeFile(model, text);
  await other(page, number);
  const drawn = await page.waitForFunction(() => {
    const [mark] = performance.getEntriesByName("carom-exchanged");
    return mark && performance.timeOrigin + mark.startTime;
  });
  return ((await drawn.jsonValue()) - saved) / 1000;
}

/** What is shown: camera, time, impact, tab, plots. */
const view = (page) =>
  page.evaluate(() => {
    const { live, clock } = window.carom;
    const { place } = live.page.scene.stage().keptView();
    return {
      zoom: place.zoom,
      time: clock.t,
      chosen: document.querySelector("#scene .focus:not([hidden]) span")?.textContent.split(" · ").slice(0, 2).join(" "),
      tab: document.querySelector('#tabs [aria-selected="true"]').textContent,
      plots: [...document.querySelectorAll("#plots article h2")].map((head) => head.textContent),
    };
  });

async function watch(browser) {
  const text = await readFile(model, "utf8");
  const server = await serve("--watch");
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.address);
  await ready(page, "run");
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -400);
  await page.locator("#plots article .p-menu summary").last().click();
  await page.getByRole("button", { name: "Remove this plot" }).last().click();
  await page.evaluate(() => window.carom.live.page.focus.next(1));
  await page.waitForFunction(() => !window.carom.clock.playing);
  await page.getByRole("tab", { name: "Impacts" }).click();
  await page.evaluate(() => (window.carom.mark = "one document"));
  const before = await view(page);
  const mass = () => page.evaluate(() => window.carom.runs[0].scene.bodies.map((body) => body.mass));
  const masses = await mass();
  const seconds = [];
  for (const own of ["5", "4", "3"]) seconds.push(await save(page, text.replace("mass: 0.038", `mass: 0.0${own}`)));
  assert.notDeepEqual(await mass(), masses, "the scene is that of the new model");
  assert.equal(await page.evaluate(() => window.carom.mark), "one document", "the page is not loaded anew");
  const after = await view(page);
  assert.ok(Math.abs(after.time - before.time) < 0.01, `the time is ${after.time}, was ${before.time}`);
  assert.deepEqual({ ...after, time: 0 }, { ...before, time: 0 });
  assert.match(before.chosen, /^impact 1 hit$/);
  // an error keeps the picture, and shows its line
  const number = await shown(page);
  await writeFile(model, text.replace("between: [", "betwen: ["));
  await page.waitForSelector("#live-error .live-line");
  assert.ok((await page.locator("#live-error .live-line").textContent()).includes("betwen"));
  assert.ok((await page.locator("#live-error").textContent()).includes("did you mean"));
  assert.equal(await shown(page), number, "the picture is kept");
  await picture(page, "error");
  await writeFile(model, text);
  await other(page, number);
  await page.waitForFunction(() => !document.getElementById("live-error"));
  await page.close();
  await server.end();
  const [least, middle] = seconds.sort((a, b) => a - b);
  console.log(`view: ${least.toFixed(2)} s from saving to the first picture of the new run, ${middle.toFixed(2)} s in the middle`);
}

/** Counts what a page holds: objects of the graphics card by their makers, listeners and nodes by the browser. */
async function held(page, session) {
  for (let k = 0; k < 3; k++) {
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    await session.send("HeapProfiler.collectGarbage");
  }
  const { metrics } = await session.send("Performance.getMetrics");
  const browser = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return { ...(await page.evaluate(() => window.made)), listeners: browser.JSEventListeners, nodes: browser.Nodes };
}

/** Thirty exchanges leave nothing behind. */
async function leaves(browser) {
  const server = await serve();
  const page = await browser.newPage({ viewport: { width: 500, height: 300 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.addInitScript(() => {
    window.made = {};
    const { prototype } = WebGL2RenderingContext;
    for (const kind of ["Buffer", "Texture", "Program", "Shader", "VertexArray", "Framebuffer", "Renderbuffer"]) {
      const [create, remove] = [prototype[`create${kind}`], prototype[`delete${kind}`]];
      window.made[kind] = 0;
      prototype[`create${kind}`] = function (...all) {
        window.made[kind]++;
        return create.apply(this, all);
      };
      prototype[`delete${kind}`] = function (object) {
        if (object) window.made[kind]--;
        return remove.call(this, object);
      };
    }
  });
  await page.goto(server.address);
  await ready(page, "pose");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await ready(page, "run");
  const exchange = async (times) => {
    for (let k = 0; k < times; k++) {
      await page.evaluate((kind) => window.carom.live.choose(kind), k % 2 ? "run" : "pose");
      await ready(page, k % 2 ? "run" : "pose");
      // names are made when they are shown
      if (k % 10 === 3 || k % 10 === 7) await page.keyboard.press("l");
    }
  };
  await exchange(2);
  const before = await held(page, session);
  await exchange(30);
  let after = await held(page, session);
  // what waits for a picture or a timer holds its page until then
  for (let k = 0; k < 10 && JSON.stringify(after) !== JSON.stringify(before); k++) after = await held(page, session);
  console.log(`view: held after 30 exchanges: ${JSON.stringify(after)}`);
  assert.ok(before.Buffer > 20 && before.Program > 2, JSON.stringify(before));
  assert.deepEqual(after, before);
  await page.close();
  await server.end();
}

const browser = await chromium.launch({ executablePath: env.CHROMIUM, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  for (const part of [pose, leaves, watch]) if (!only.length || only.includes(part.name)) await part(browser);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const server of servers) server.kill("SIGKILL");
  await browser.close();
}
