// Measured data below the plots: files that are chosen or dropped on the page, each with its settings.
import { button, element } from "../plots/dom.js";
import { showSection } from "../tabs.js";
import { MeasuredCard } from "./card.js";
import { readTable } from "./table.js";

const KEY = "carom-measured";
const MOST_BYTES = 50e6;

/** Files of the page before it was loaded anew, if this is a page of `carom view`. */
function takeFiles(live) {
  try {
    return live ? JSON.parse(sessionStorage.getItem(KEY) ?? "[]") : [];
  } catch {
    return [];
  }
}

/**
 * A button that opens files, and the settings of what was opened.
 * @param {object} context what the panels share @param {(text: string) => void} say @param {boolean} live
 * @returns {{button: HTMLElement, node: HTMLElement, files: () => object[]}}
 */
export function mountMeasured(context, say, live) {
  const node = element("div", {});
  const cards = [];
  const add = (source) => {
    const card = new MeasuredCard(context, source, (gone) => {
      gone.node.remove();
      cards.splice(cards.indexOf(gone), 1);
      keep();
    });
    card.content = source.content;
    cards.push(card);
    node.append(card.node);
    return card;
  };
  const keep = () => {
    if (!live) return;
    try {
      const files = cards.filter(({ columns }) => columns);
      sessionStorage.setItem(KEY, JSON.stringify(files.map(({ file, content, settings }) => ({ file, content, settings }))));
    } catch {
      // files too large for that memory are opened again by hand
    }
  };
  const open = async (file) => {
    try {
      if (file.size > MOST_BYTES) throw new Error("it has more than 50 MB.");
      const content = await file.text();
      const card = add({ file: file.name, columns: readTable(content), content });
      showSection("plots");
      say("");
      keep();
      card.node.scrollIntoView({ block: "nearest" });
    } catch (error) {
      say(`${file.name}: ${error.message}`);
    }
  };
  const input = element("input", {
    type: "file",
    accept: ".csv,.txt,.tsv,.dat,text/*",
    multiple: true,
    hidden: true,
    "aria-label": "File of measured data",
    onchange: async () => {
      for (const file of [...input.files]) await open(file);
      input.value = "";
    },
  });
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  window.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    for (const file of [...event.dataTransfer.files]) await open(file);
  });
  for (const [name, { file }] of context.measured.all) add({ file, columns: null, name });
  for (const { file, content, settings } of takeFiles(live)) add({ file, columns: readTable(content), content, settings });
  node.addEventListener("change", keep);
  const title = "Show measured points over the curves: a file of columns, which may also be dropped on the page";
  return { button: element("span", {}, button("Measured data …", title, () => input.click()), input), node };
}
