// Opens report pages in a browser as a person would, from the disk, and checks what they do.
//   node browser.mjs [--no-webgl] [--by-turns [--both-of NAME]] [--audit NAME|all] [--shots FOLDER] PAGE...
// Each page at the size of a desk and of a phone; by turns at one of them, but for one page. axe-core looks at that one and at
// the one to be audited, or at all, by day and by night.
// Needs playwright-core (NODE_PATH or a node_modules above) and CHROMIUM, the path of the browser.
import { createRequire } from "node:module";
import { readFile, mkdir } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { argv, env, exit } from "node:process";
import assert from "node:assert/strict";
import { misplaced, PARTS } from "./geometry.mjs";

const require = createRequire(env.CAROM_NODE_MODULES ? `${env.CAROM_NODE_MODULES}/` : import.meta.url);
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
const options = argv.slice(2);
const noWebgl = options.includes("--no-webgl");
const byTurns = options.includes("--by-turns");
const valueOf = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : null);
const shots = valueOf("--shots"), bothOf = valueOf("--both-of"), auditOf = valueOf("--audit");
const pages = options.filter((text, k) => !text.startsWith("--") && !["--shots", "--both-of", "--audit"].includes(options[k - 1]));
const sizes = [{ name: "desk", width: 1280, height: 800 }, { name: "phone", width: 390, height: 844, touch: true }];

/** Different colours of parts of the page: one if nothing is drawn. */
async function colours(page, selectors) {
  const picture = (await page.screenshot({ fullPage: true })).toString("base64");
  const places = await Promise.all(selectors.map((selector) => page.locator(selector).boundingBox()));
  return page.evaluate(async ({ data, places }) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    return places.map(({ x, y, width, height }) => {
      const seen = pen.getImageData(x, y, Math.min(width, image.width - x), Math.max(1, Math.min(height, image.height - y)));
      return new Set(new Uint32Array(seen.data.buffer)).size;
    });
  }, { data: picture, places });
}

/** In the page: whether the first run is of balls in space. */
function roundInSpace() {
  const [{ dimension, scene }] = window.carom.runs;
  return dimension === 3 && scene.shapes.every(({ kind }) => kind === "sphere" || kind === "plane");
}

/** The clock as the page's public object has it. */
const clock = (page) => page.evaluate(() => {
  const { t, t0, t1, playing, impacts } = window.carom.clock;
  return { t, t0, t1, playing, impacts: impacts.map(({ onset, duration }) => ({ onset, duration })) };
});

/** Space starts and stops the motion, and time passes in between. */
async function plays(page) {
  await page.evaluate(() => window.carom.clock.seek(window.carom.clock.t0));
  await page.locator("body").press("Space");
  await page.waitForFunction(() => window.carom.clock.t > window.carom.clock.t0);
  assert.equal((await clock(page)).playing, true);
  await page.locator("body").press("Space");
  const stopped = await clock(page);
  assert.equal(stopped.playing, false);
  await page.locator("body").press("ArrowRight");
  const after = await clock(page);
  assert.ok(after.t > stopped.t || after.t === after.t1, "a frame forward");
}

/** The second impact (or the last, if there are fewer) by the key n: near its onset, and slowly through it. */
async function jumps(page) {
  const start = await clock(page);
  if (!start.impacts.length) return 0;
  const wanted = Math.min(2, start.impacts.length);
  await page.evaluate(() => window.carom.clock.seek(window.carom.clock.t0));
  if (start.impacts[0].onset <= start.t0) return 0;
  for (let k = 0; k < wanted; k++) {
    await page.locator("body").press("n");
    const { onset, duration } = start.impacts[k];
    const now = await clock(page);
    assert.ok(Math.abs(now.t - onset) <= 2.5 * duration + 1e-9 * onset, `impact ${k + 1} at ${onset} s, the page shows ${now.t} s`);
  }
  await page.evaluate(() => window.carom.clock.pause());
  return wanted;
}

/**
 * A row of the table of impacts, which has those of all runs in order of onset, shows the third impact: its contact fills a
 * third of the picture, in its middle; the time runs through it; the plots show its interval; Esc goes back.
 */
async function frames(page, audited) {
  const impacts = await page.evaluate(() => window.carom.runs.flatMap((run) => run.impacts.map(({ onset, duration }) => ({ onset, duration })))
    .sort((a, b) => a.onset - b.onset));
  await page.getByRole("tab", { name: "Impacts" }).click();
  if (!impacts.length) {
    assert.match(await page.locator("#impacts").innerText(), /No impact/);
    return;
  }
  const row = Math.min(2, impacts.length - 1), { onset, duration } = impacts[row];
  const before = await page.evaluate(() => [...document.querySelectorAll("#plots .p-plot")].map((plot) => plot.dataset.view));
  await page.locator("#impacts tbody tr:not([aria-hidden])").nth(row).click();
  const { t } = await clock(page), room = duration + 1e-9 * Math.max(1, onset);
  assert.ok(t >= onset - room && t <= onset + 2 * room, `impact at ${onset} s, the page shows ${t} s`);
  assert.match(await page.locator("#scene .focus").innerText(), /impact \d+/);
  if (!noWebgl) {
    const { x, y, size, width, height, fine } = await page.evaluate(() => window.carom.seen());
    if (await page.evaluate(roundInSpace)) assert.ok(fine > 0, "a round surface that is looked at closely is fine");
    const share = size / Math.min(width, height);
    assert.ok(share > 0.3 && share < 0.37, `the contact fills ${share} of the picture`);
    assert.ok(Math.hypot(x / width - 0.5, y / height - 0.5) < 0.05, `the contact is at ${x}, ${y} of ${width} by ${height}`);
  }
  await inPlace(page, "an impact is shown");
  if (audited) await accessible(page, "an impact is shown", "#left");
  const views = () => page.evaluate(() => [...document.querySelectorAll("#plots .p-plot")].map((plot) => plot.dataset.view));
  for (const view of await views()) {
    const [from, to] = view.split(" ").map(Number);
    assert.ok(from <= onset && to >= onset + duration && to - from <= 3 * duration + 1e-3, `a plot shows ${view} at ${onset} s`);
  }
  await page.locator("body").press("Escape");
  assert.equal(await page.evaluate(() => window.carom.seen()), null, "Esc goes back to the whole run");
  assert.ok(!(await page.locator("#scene .focus").isVisible()));
  assert.deepEqual(await views(), before, "the plots show what they did");
}

/** Nothing is cut off, and nothing covers another. */
async function inPlace(page, where) {
  const found = await page.evaluate(`(${misplaced})(${JSON.stringify(PARTS)})`);
  assert.deepEqual(found, [], `elements are in place: ${where}`);
}

/**
 * What axe-core finds wrong for those who use a keyboard or a screen reader: nothing. `part`: where the page has changed since
 * it looked at the whole document, of which a look is two seconds of work.
 */
async function accessible(page, where, part = null) {
  const { violations } = await page.evaluate((selector) =>
    window.axe.run(selector ? document.querySelector(selector) : document, { resultTypes: ["violations"] }), part);
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  assert.deepEqual(found, [], `axe-core: ${where}`);
}

/** The colours of the other theme can be told apart as well. */
async function contrasts(page, where) {
  const own = await page.evaluate(() => document.documentElement.dataset.theme);
  const other = own === "dark" ? "light" : "dark";
  await page.emulateMedia({ colorScheme: other });
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["color-contrast"], resultTypes: ["violations"] }));
  const found = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)));
  assert.deepEqual(found, [], `contrast of ${where}, ${other}`);
  await page.emulateMedia({ colorScheme: own });
}

/** Every tab opens, by the arrow keys but for the first, has content, and all in its place. */
async function tabs(page, audited) {
  const all = await page.getByRole("tab").all();
  await all[0].click();
  for (let k = 0; k < all.length; k++) {
    if (k > 0) await page.keyboard.press("ArrowRight");
    const { id, text } = await page.evaluate(() => {
      const section = document.querySelector("#right > section:not([hidden])");
      return { id: section.id, text: section.innerText };
    });
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-controls")), id, "the tab has the focus");
    assert.ok(text.length > 20, `section ${id} is empty`);
    await inPlace(page, id);
    if (audited) {
      await accessible(page, id, k > 0 ? "#right" : null);
      await contrasts(page, id);
    }
    assert.ok(!/\b(NaN|undefined|null)\b/.test(id === "model" ? "" : text), `section ${id} shows ${text.match(/\b(NaN|undefined|null)\b/)}`);
  }
  await page.keyboard.press("Home");
}

/** A channel that was not shown is, after a search and a click, and its legend says so. */
async function toggles(page) {
  const card = page.locator("#plots article").first();
  await card.getByRole("button", { name: "Channels" }).click();
  await page.getByPlaceholder("Search channels").first().fill("position_violation");
  const box = page.getByRole("checkbox", { name: /position_violation/ }).first();
  const before = await box.isChecked();
  await box.click();
  assert.equal(await box.isChecked(), !before);
  await page.waitForFunction((wanted) => document.querySelector("#plots").innerText.includes("position_violation") === wanted, !before);
  await card.getByRole("button", { name: "Channels" }).click();
}

/** Text of the file that a button downloads. */
async function downloaded(page, locator) {
  const [download] = await Promise.all([page.waitForEvent("download"), locator.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

/** The pointer over a body's centre tells its name, mass and speed. */
async function named(page) {
  const name = await page.evaluate(() => window.carom.runs[0].scene.bodies[1].name);
  const at = await page.evaluate(() => window.carom.place(1));
  const { x, y } = await page.locator("#scene canvas").boundingBox();
  await page.mouse.move(x + at.x + 20, y + at.y);
  await page.mouse.move(x + at.x, y + at.y);
  const note = page.locator("#scene .hover");
  await note.waitFor();
  assert.match(await note.innerText(), new RegExp(`^${name} · .* (kg|m?g) · .* m?m/s$`));
  await page.mouse.move(0, 0);
}

/** The count of warnings in the header leads to them. */
async function warned(page) {
  const count = await page.evaluate(() => window.carom.runs.reduce((sum, run) => sum + run.warnings.length, 0));
  const link = page.locator("#subtitle button");
  if (!count) return assert.equal(await link.count(), 0);
  await link.click();
  assert.match(await page.locator("#model .p-warning").first().innerText(), /\S/);
  return assert.ok(await page.locator("#model .p-warning").first().isVisible(), "the first warning is seen");
}

/** A button of the menu of the first plot. */
async function menuButton(page, name) {
  const card = page.locator("#plots article").first();
  await card.locator(".p-menu summary").click();
  return card.getByRole("button", { name });
}

/** The CSV of the first plot: a header with units, rows of numbers, times that never fall. */
async function csv(page) {
  const file = await downloaded(page, await menuButton(page, "CSV"));
  const [head, ...rows] = file.text.trimEnd().split("\n").map((line) => line.split(","));
  assert.match(file.name, /\.csv$/);
  assert.match(head[0], /^"?time \[s\]/);
  assert.ok(rows.length > 1, "rows in the CSV");
  let last = -Infinity;
  for (const row of rows) {
    assert.equal(row.length, head.length);
    // of several runs the first may have fewer rows than another one
    if (row[0] === "") continue;
    assert.ok(Number(row[0]) >= last, "times rise");
    last = Number(row[0]);
    assert.ok(row.slice(1).some((text) => text !== "" && Number.isFinite(Number(text))), "a row has a number");
  }
  const svg = await downloaded(page, await menuButton(page, "SVG"));
  assert.match(svg.text, /^<\?xml|^<svg/);
  assert.match(svg.text, /<path /);
  return rows.length;
}

/**
 * A file of measured data that is opened in the page stands over the curves at the onset of the hardest impact, with its
 * errors, in the legend and in the files; what cannot be read is said; what is removed is gone.
 */
async function measures(page, audited) {
  const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  const rows = Array.from({ length: 30 }, (_, k) => `${k},${k < 5 ? 0 : (90 * Math.max(0, Math.sin((k - 5) / 6)) ** 1.5).toFixed(3)},2`);
  const input = page.getByLabel("File of measured data");
  await input.setInputFiles(file("drop.csv", `time [us],force [kN],sd\n${rows.join("\n")}\n`));
  const own = page.locator(".p-measured");
  assert.match(await own.locator("code").innerText(), /^--data drop\.csv:force\+-sd@time --impact \d+ --align onset$/);
  const legend = page.locator("#plots .p-legend").first();
  assert.match(await legend.innerText(), /drop/);
  const { peak, onset } = await page.evaluate(() => {
    const [impact] = [...window.carom.runs[0].impacts].sort((a, b) => b.peak_force - a.peak_force);
    return { peak: impact.peak_force, onset: impact.onset };
  });
  assert.ok(peak > 0);
  await inPlace(page, "measured data");
  if (audited) await accessible(page, "measured data", "#right");
  const svg = await downloaded(page, await menuButton(page, "SVG"));
  assert.equal(svg.text.match(/<circle /g).length, rows.length + 1, "each point and the legend");
  const table = await downloaded(page, await menuButton(page, "CSV"));
  assert.match(table.text, /drop \[N\],"drop, error \[N\]"\n/);
  await own.getByLabel("Unit of the times").fill("ms");
  await own.getByLabel("Unit of the times").press("Enter");
  await page.locator("#plots article").first().getByRole("button", { name: "All" }).click();
  const last = await downloaded(page, await menuButton(page, "CSV"));
  const times = last.text.trimEnd().split("\n").slice(1).map((line) => line.split(",").at(-3)).filter(Boolean).map(Number);
  assert.ok(Math.abs(times[0] + 5e-3 - onset) < 1e-3 && Math.abs(times[1] - times[0] - 1e-3) < 1e-9, `points at ${times}, impact at ${onset}`);
  await own.getByLabel("Unit of the values").fill("furlong");
  await own.getByLabel("Unit of the values").press("Enter");
  assert.match(await own.innerText(), /'furlong' is no unit/);
  await own.getByRole("button", { name: "Remove" }).click();
  assert.doesNotMatch(await legend.innerText(), /drop/);
  await input.setInputFiles(file("empty.csv", "# nothing\n"));
  await page.getByText("empty.csv: The file has no rows").waitFor();
}

/** A page of a size, with what it said on the console and asked of the network. */
async function open(browser, size) {
  const context = await browser.newContext({ viewport: size, hasTouch: Boolean(size.touch), acceptDownloads: true,
                                             colorScheme: size.touch ? "dark" : "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const opened = { context, page, messages: [], requests: [] };
  page.on("console", (message) => opened.messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => opened.messages.push(`error: ${error.message}`));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || opened.requests.push(request.url()));
  return opened;
}

/** Shadows of a model in space: off where a processor draws; on, a picture takes a second pass over the bodies. */
async function shadows(page) {
  const box = page.getByLabel("Shadows");
  if (!(await box.count())) return;
  assert.equal(await box.isChecked(), false, "no shadows are drawn without a graphics card");
  const calls = () => page.evaluate(() => window.carom.calls());
  const before = await calls();
  const switched = (on) => box.evaluate((input, on) => {
    input.checked = on;
    input.dispatchEvent(new Event("change"));
  }, on);
  await switched(true);
  await page.waitForFunction((before) => window.carom.calls() > before, before);
  await switched(false);
  await page.waitForFunction((before) => window.carom.calls() === before, before);
}

async function visit({ page, messages, requests }, path, size) {
  await page.goto(`file://${resolve(path)}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  await page.waitForFunction(() => document.documentElement.dataset.scene === "true");
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the screen`);
  if (noWebgl) assert.match(await page.locator("#scene").innerText(), /no WebGL/);
  const [scene, plots] = await colours(page, ["#scene", "#plots article >> nth=0"]);
  assert.ok(noWebgl || scene > 8, "the scene is drawn");
  assert.ok(plots > 8, "the plots are drawn");
  if (shots) {
    await mkdir(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${basename(path, ".html")}-${size.name}.png` });
  }
  await plays(page);
  const jumped = await jumps(page);
  if (shots && jumped) await page.screenshot({ path: `${shots}/${basename(path, ".html")}-${size.name}-impact.png` });
  await page.locator("body").press("Escape");
  const name = basename(path, ".html");
  const audited = name === bothOf || name === auditOf || auditOf === "all";
  if (audited) await page.evaluate(axe);
  await tabs(page, audited);
  await toggles(page);
  if (!noWebgl && !size.touch) await shadows(page);
  // what is downloaded does not depend on the size of the screen
  const rows = size.touch ? 0 : await csv(page);
  if (name === bothOf && !noWebgl && !size.touch) await named(page);
  if (name === bothOf && !size.touch) await measures(page, true);
  await frames(page, audited);
  await warned(page);
  await page.locator("body").press("?");
  assert.ok(await page.getByRole("dialog").isVisible(), "the keys are shown");
  await page.locator("body").press("Escape");
  await page.locator("body").press("d");
  assert.deepEqual(messages, [], "nothing on the console");
  assert.deepEqual(requests, [], "nothing from the network");
  // the next page begins as if it were the first
  await page.evaluate(() => localStorage.clear());
  return `${jumped} impacts jumped to${size.touch ? "" : `, ${rows} rows of CSV`}`;
}

const flags = ["--no-sandbox", ...(noWebgl ? ["--disable-gpu", "--disable-3d-apis"]
                                           : ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                                              "--webgl-antialiasing-mode=none"])];
const browser = await chromium.launch({ executablePath: env.CHROMIUM || "/usr/bin/chromium", args: flags });
let passed = 0, failed = 0;

/** Takes one page after another at a size; two of these keep both cores at work. */
async function work(size, turn) {
  let opened = null;
  for (const [k, path] of pages.entries()) {
    if (byTurns && k % sizes.length !== turn && basename(path, ".html") !== bothOf) continue;
    const name = `${basename(path)} ${size.name}`;
    try {
      opened ??= await open(browser, size);
      console.log(`${name}: ${await visit(opened, path, size)}`);
      passed++;
    } catch (error) {
      failed++;
      console.log(`${name}: FAILED: ${error.message}`);
      await opened?.context.close().catch(() => {});
      opened = null;
    }
  }
}
await Promise.all(sizes.map(work));
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
exit(failed ? 1 : 0);
