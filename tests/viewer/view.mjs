// `carom view` as a user has it: the pose, a joint and a body moved, a run, a save, an error, the camera kept.
//   node view.mjs [--shots FOLDER] CAROM MODEL: MODEL is a copy that this program changes
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { readFile, writeFile } from "node:fs/promises";
import process, { argv, env } from "node:process";
import assert from "node:assert/strict";

const { chromium } = createRequire(env.CAROM_NODE_MODULES ? `${env.CAROM_NODE_MODULES}/` : import.meta.url)("playwright-core");
const shots = argv[2] === "--shots" ? argv.splice(2, 2)[1] : null;
const [carom, model] = argv.slice(2);

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
  await page.waitForFunction(() => Math.abs(window.carom.live.scene.stage().troupe[0].actor.motion.held[1].position.y) > 0.01);
  const first = await joints(page);
  assert.ok(Math.abs(first.main - 0.8) < 1e-6, `the crank is at ${first.main}`);
  // crank of 153 mm, rod of 306 mm: the slider is where the closed form has it
  const place = 0.153 * Math.cos(0.8) + Math.sqrt(0.306 ** 2 - (0.153 * Math.sin(0.8)) ** 2);
  assert.ok(Math.abs(first.guide - place) < 1e-6, `the slider is at ${first.guide}, not ${place}`);
  await picture(page, "moved");
  const at = await page.evaluate(() => {
    const stage = window.carom.live.scene.stage();
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
  const other = await page.request.get(server.address.replace(/view\/../, "view/xx"));
  assert.equal(other.status(), 404);
  await page.close();
  await server.end();
}

const view = (page) => page.evaluate(() => window.carom.live.scene.stage().keptView());

async function watch(browser) {
  const text = await readFile(model, "utf8");
  const server = await serve("--watch");
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.address);
  await ready(page, "run");
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -400);
  const before = await view(page);
  const number = await page.evaluate(() => window.carom.live.first.run);
  const saved = Date.now();
  await writeFile(model, text.replace("mass: 2.5", "mass: 5"));
  await page.waitForFunction((n) => window.carom?.live?.first?.run > n && document.documentElement.dataset.scene, number);
  const seconds = (Date.now() - saved) / 1000;
  const after = await view(page);
  assert.ok(Math.abs(after.zoom / before.zoom - 1) < 1e-9, "the camera is kept");
  // an error keeps the picture, and shows its line
  await writeFile(model, text.replace("between: [", "betwen: ["));
  await page.waitForSelector("#live-error .live-line");
  assert.ok((await page.locator("#live-error .live-line").textContent()).includes("betwen"));
  assert.ok((await page.locator("#live-error").textContent()).includes("did you mean"));
  await picture(page, "error");
  await writeFile(model, text);
  await page.waitForFunction(() => !document.getElementById("live-error"));
  await page.close();
  await server.end();
  return seconds;
}

const browser = await chromium.launch({ executablePath: env.CHROMIUM, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  await pose(browser);
  console.log(`view: ${(await watch(browser)).toFixed(2)} s from saving to the new picture`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const server of servers) server.kill("SIGKILL");
  await browser.close();
}
