// Elements, buttons and files to download.

/**
 * An element with attributes and children; `on*` attributes are listeners, null and false ones are left out.
 * @param {string} tag @param {object} [attributes] @param {...(Node|string|null)} children @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/** A button; `title` says what it does, to the eye and, after its text, to a screen reader. */
export function button(text, title, onclick, attributes = {}) {
  return element("button", { type: "button", class: "p-button", title, onclick, ...attributes }, text);
}

/** A labelled choice. @param {[string, string][]} options value and text */
export function choice(label, options, value, onchange) {
  const select = element(
    "select",
    { title: label, "aria-label": label, onchange: () => onchange(select.value) },
    ...options.map(([key, text]) => element("option", { value: key, text })),
  );
  select.value = value;
  return select;
}

/** A paragraph that says why something is not shown. */
export function note(text) {
  return element("p", { class: "p-note", text });
}

/** Offers a file to save. @param {string} name @param {BlobPart} content @param {string} type */
export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A file name without characters that some systems refuse. @param {...string} parts */
export function fileName(...parts) {
  return (
    parts
      .filter(Boolean)
      .join("-")
      .replace(/[^\p{L}\p{N}._=+-]+/gu, "_")
      .slice(0, 100) || "carom"
  );
}

/** Draws a vector graphic as PNG, `scale` times its size. @param {string} svg */
export async function pngOf(svg, width, height, scale = 2) {
  const image = new Image(width * scale, height * scale);
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = element("canvas", { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, width * scale, height * scale);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Copies a text; false if the browser does not let the page. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "p-offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
