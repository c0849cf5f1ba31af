// Measured data below the plots: files that are chosen or dropped on the page, each with its settings.
import { button, element } from "../plots/dom.js";
import { showSection } from "../tabs.js";
import { MeasuredCard } from "./card.js";
import { readTable } from "./table.js";

const MOST_BYTES = 50e6;

/**
 * A button that opens files, and the settings of what was opened.
 * @param {object} context what the panels share @param {(text: string) => void} say
 * @returns {{button: HTMLElement, node: HTMLElement}}
 */
export function mountMeasured(context, say) {
  const { kept, scope } = context;
  const node = element("div", {});
  const cards = [];
  const add = (source) => {
    const card = new MeasuredCard(context, source, (gone) => {
      gone.node.remove();
      cards.splice(cards.indexOf(gone), 1);
    });
    cards.push(card);
    node.append(card.node);
    return card;
  };
  const opened = () =>
    cards.filter(({ columns }) => columns).map(({ file, columns, settings }) => ({ file, columns, settings }));
  const open = async (file) => {
    try {
      if (file.size > MOST_BYTES) throw new Error("it has more than 50 MB.");
      const card = add({ file: file.name, columns: readTable(await file.text()) });
      showSection("plots");
      say("");
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
  scope.listen(window, "dragover", (event) => hasFiles(event) && event.preventDefault());
  scope.listen(window, "drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    for (const file of [...event.dataTransfer.files]) await open(file);
  });
  for (const [name, { file }] of context.measured.all) add({ file, columns: null, name });
  for (const source of kept.take("measured", opened, false) ?? []) add(source);
  const title = "Show measured points over the curves: a file of columns, which may also be dropped on the page";
  return { button: element("span", {}, button("Measured data …", title, () => input.click()), input), node };
}
