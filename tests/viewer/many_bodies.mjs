// Opens pages of the models of many_bodies.sh and checks that a picture takes few calls, that the lists are short and find
// what is searched for, and that a body can be followed, hidden and named.
//   node many_bodies.mjs PAGE...
// Needs what browser.mjs needs.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { argv, env, exit } from "node:process";
import assert from "node:assert/strict";

const { chromium } = createRequire(env.CAROM_NODE_MODULES ? `${env.CAROM_NODE_MODULES}/` : import.meta.url)("playwright-core");
const browser = await chromium.launch({ executablePath: env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

async function visit(path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const messages = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
  await page.goto(`file://${resolve(path)}`);
  await page.waitForFunction(() => document.documentElement.dataset.scene === "true");
  const bodies = await page.evaluate(() => window.carom.runs[0].scene.bodies.length - 1);
  const { meshes, shapes } = await page.evaluate(() => {
    const { meshes, shapes } = window.carom.runs[0].scene;
    return { meshes: meshes.length, shapes: shapes.length };
  });
  assert.deepEqual([meshes, shapes], [1, bodies], "equal balls share a mesh");

  // a grid and eight colours of balls; all else is not shown at first
  const calls = await page.evaluate(() => window.carom.calls());
  assert.ok(calls > 0 && calls <= 16, `a picture takes ${calls} calls`);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 2000, `the page has ${elements} elements`);

  // follow the last body: the camera goes along
  const last = `ball_${bodies}`;
  const follow = page.getByRole("combobox", { name: "What the camera follows" });
  await follow.click();
  await follow.fill(last);
  await follow.press("Enter");
  assert.equal(await follow.inputValue(), `follow ${last}`);

  // the list of bodies finds it, and hides it
  await page.locator("#scene summary").click();
  await page.getByPlaceholder("Search bodies").fill(last);
  const box = page.getByRole("checkbox", { name: `show ${last}` });
  await box.click();
  assert.equal(await box.isChecked(), false);
  const listed = await page.locator("#scene .bodies .name").count();
  assert.ok(listed >= 1 && listed <= 60, `${listed} bodies are listed`);
  await page.locator("#scene summary").press("Escape");

  // names of the nearest, and the motion, say nothing on the console
  await page.locator("body").press("l");
  await page.evaluate(() => { const { clock } = window.carom; clock.seek(0.5 * (clock.t0 + clock.t1)); });
  await page.waitForFunction((before) => window.carom.calls() > before, calls);
  const named = await page.evaluate(() => window.carom.calls());
  assert.ok(named <= calls + 120, `with names a picture takes ${named} calls`);
  assert.deepEqual(messages, [], "nothing on the console");
  const rows = await page.evaluate(() => window.carom.runs[0].groups.map(({ rows, of }) => `${rows} of ${of}`).join(", "));
  await page.close();
  return `${bodies} bodies, rows ${rows}; ${calls} calls a picture, ${named} with names, ${elements} elements`;
}

let failed = 0;
for (const path of argv.slice(2)) {
  try {
    console.log(`${path}: ${await visit(path)}`);
  } catch (error) {
    failed++;
    console.log(`${path}: FAILED: ${error.message}`);
  }
}
await browser.close();
exit(failed ? 1 : 0);
