// Plays a report page for some seconds under the browser's tracing and prints how long the handlers of its frames took.
//   node trace.mjs PAGE [SECONDS]
// A measurement, not a test: times depend on the machine. Needs what browser.mjs needs.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { argv, env } from "node:process";

const { chromium } = createRequire(env.CAROM_NODE_MODULES ? `${env.CAROM_NODE_MODULES}/` : import.meta.url)("playwright-core");
const path = resolve(argv[2]), seconds = Number(argv[3] ?? 5);

const browser = await chromium.launch({ executablePath: env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto("about:blank");
await page.goto(`file://${path}`);
await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
await page.waitForFunction(() => document.documentElement.dataset.scene === "true");
const drawn = await page.evaluate(() => performance.now());
const ready = await page.evaluate(() => performance.getEntriesByName("carom-ready")[0].startTime);
await page.waitForTimeout(1000);

const session = await browser.newBrowserCDPSession();
const events = [];
session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline", "blink.user_timing"] } });
await page.evaluate(() => { const { clock } = window.carom; clock.seek(clock.t0); clock.setAutomatic(true); clock.play(); });
await page.waitForTimeout(1000 * seconds);
const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
await session.send("Tracing.end");
await ended;
await browser.close();

/** Durations of the handlers [ms]: of the clock, or of the page's thread alone, which leaves out what other threads took. */
const durations = (key) => events.filter((e) => e.name === "FireAnimationFrame" && e[key] !== undefined).map((e) => e[key] / 1000).sort((a, b) => a - b);
const summary = (times) => {
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? NaN;
  return `median ${at(0.5).toFixed(2)} ms, 99 % ${at(0.99).toFixed(2)} ms, longest ${at(1).toFixed(2)} ms`;
};
const wall = durations("dur");
console.log(`interactive after ${ready.toFixed(0)} ms, the scene drawn after ${drawn.toFixed(0)} ms`);
console.log(`${wall.length} frame handlers in ${seconds} s: ${summary(wall)}; of the thread alone ${summary(durations("tdur"))}`);
