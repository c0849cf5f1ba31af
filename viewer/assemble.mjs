// Makes the result page of one file: bundles src/main.js with all it imports, and puts style and script into
// index.html. node assemble.mjs FOLDER PAGE: FOLDER has node_modules with the packages of package.json; PAGE is the
// file written.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const PLACE = "<!-- carom-data -->";
const source = dirname(fileURLToPath(import.meta.url));
const [folder, page] = process.argv.slice(2).map((path) => resolve(path));
const modules = join(folder, "node_modules");
const { build } = createRequire(join(folder, "package.json"))("esbuild");

/** @param {string} extension @param {{path: string, text: string}[]} files */
function text(extension, files) {
  return files
    .filter((file) => file.path.endsWith(extension))
    .map((file) => file.text.trim())
    .join("\n");
}

/** The licence of each package that the page carries. */
function licences() {
  const { dependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const parts = Object.keys(dependencies).map((name) => {
    const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(modules, name, "LICENSE"), "utf8").trim()}`;
  });
  return `<!--\nThis page carries the following packages.\n\n${parts.join("\n\n")}\n-->`;
}

const { outputFiles } = await build({
  absWorkingDir: source,
  entryPoints: [join(source, "src/main.js")],
  outfile: join(folder, "main.js"),
  nodePaths: [modules],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
  write: false,
});

/** Runs the script from its zlib stream in base64, a third as long; browsers that read the data of a page can. */
const loader = (stream) => `(async () => {
  try {
    const bytes = Uint8Array.from(atob("${stream}"), (c) => c.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    document.body.append(Object.assign(document.createElement("script"), { textContent: text }));
  } catch (error) {
    document.getElementById("main").textContent = "This browser cannot show the page: one of 2023 or later can.";
    throw error;
  }
})();`;

/**
 * Throws if a text would fetch something, but for src/live/ask.js, which asks the server of `carom view` where the page
 * comes from one. @param {string} text
 */
function fetchesNothing(text) {
  const others = text.replace(/\bfetch\(/, "");
  const found = /(?:src|href)="?https?:|url\("?http|@import|sourceMappingURL|\bfetch\(|XMLHttpRequest/.exec(others);
  if (found) throw new Error(`${page}: the script has '${found[0]}'`);
  return text;
}

const script = loader(deflateSync(fetchesNothing(text(".js", outputFiles)), { level: 9 }).toString("base64"));
// it may not end its element
const style = text(".css", outputFiles).replace(/<(?=\/)/g, "\\3c ");

const parts = { style, script, licences: licences() };
const html = readFileSync(join(source, "index.html"), "utf8").replace(
  /\{\{(style|script|licences)\}\}/g,
  (_, name) => parts[name],
);
if (html.split(PLACE).length !== 2) throw new Error(`${page}: '${PLACE}' must occur exactly once`);

// the file takes its name when it is complete
writeFileSync(`${page}.part`, html);
renameSync(`${page}.part`, page);
