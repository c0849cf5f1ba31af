// Pictures of pages in the docs, by the names of their runs: the walking robot of README.md, light and dark, while its left
// fore foot carries it, and of docs/tutorial.md; the first impact of the slider-crank of docs/gallery.md and of the pendulum
// of docs/first-mechanism.md.
//   carom run models/hyq_walk.yaml -o OUT && node docs/figures/page.mjs OUT/hyq_walk.html ... [FOLDER]
// writes FOLDER/walk.png and so on (default docs/figures). Needs playwright-core, which the tests of the page fetch
// (CAROM_NODE_MODULES=build/dev/tests/node/node_modules), and CHROMIUM, the path of the browser.
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { argv, env } from "node:process";

const modules = resolve(env.CAROM_NODE_MODULES ?? "build/dev/tests/node/node_modules");
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const pages = argv.slice(2).filter((text) => text.endsWith(".html"));
const folder = argv.slice(2).find((text) => !text.endsWith(".html")) ?? "docs/figures";

/** Of a run: file, size, time [s], `wheel` closer to the scene, `impact` chosen first and the time from its onset. */
const PICTURES = {
  hyq_walk: [
    { file: "walk.png", height: 700, time: 0.628, wheel: -260 },
    { file: "walk_dark.png", height: 700, time: 0.628, wheel: -260, dark: true },
    { file: "tutorial.png", height: 800, time: 0.508, wheel: -260 },
  ],
  slider_crank_block: [{ file: "report.png", height: 800, impact: 1, time: 21e-6 }],
  pendulum: [{ file: "pendulum.png", height: 640, time: 0.47621 }],
};

const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const path of pages)
  for (const { file, height, time, wheel, impact, dark } of PICTURES[basename(path, ".html")]) {
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: dark ? "dark" : "light" });
    await page.goto(`file://${resolve(path)}`);
    await page.waitForFunction(() => window.carom && document.documentElement.dataset.scene);
    for (let k = 0; k < (impact ?? 0); k++) await page.locator("body").press("n");
    await page.evaluate(({ time, impact }) => {
      window.carom.clock.pause();
      window.carom.clock.seek(time + (impact ? window.carom.clock.impacts[impact - 1].onset : 0));
    }, { time, impact });
    await page.mouse.move(300, 330);
    if (wheel) await page.mouse.wheel(0, wheel);
    await page.mouse.move(5, 5);
    await page.waitForTimeout(3000);
    await page.screenshot({ path: `${folder}/${file}` });
    await page.close();
  }
await browser.close();
