// The first picture of README.md: the page of the walking robot while its left fore foot carries it, light and dark.
//   carom run models/hyq_walk.yaml -o OUT && node docs/figures/page.mjs OUT/hyq_walk.html [FOLDER]
// writes FOLDER/walk.png and FOLDER/walk_dark.png (default docs/figures). Needs playwright-core, which the tests of the page fetch
// (CAROM_NODE_MODULES=build/dev/tests/node/node_modules), and CHROMIUM, the path of the browser.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { argv, env } from "node:process";

const modules = resolve(env.CAROM_NODE_MODULES ?? "build/dev/tests/node/node_modules");
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const [page_of_run, folder = "docs/figures"] = argv.slice(2);
const TIME = 0.628;

const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const [colorScheme, name] of [["light", "walk.png"], ["dark", "walk_dark.png"]]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 700 }, colorScheme });
  await page.goto(`file://${resolve(page_of_run)}`);
  await page.waitForFunction(() => window.carom);
  await page.evaluate((time) => {
    window.carom.clock.pause();
    window.carom.clock.seek(time);
  }, TIME);
  await page.mouse.move(300, 330);
  await page.mouse.wheel(0, -260);
  await page.mouse.move(5, 5);
  await page.waitForTimeout(3000);
  await page.screenshot({ path: `${folder}/${name}` });
  await page.close();
}
await browser.close();
