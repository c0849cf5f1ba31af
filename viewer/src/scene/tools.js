// The tools above the scene: what is followed, what is drawn, fit and picture; and what stands in its lower corner.
import { iconButton } from "../icons.js";
import { choice, element } from "../plots/dom.js";
import { matches, pick } from "../plots/pick.js";
import { niceStep, valueText } from "../plots/units.js";
import { SIDES } from "./view.js";

/** Switches of the menu: key of the settings, text, only for spatial or planar models. */
const SWITCHES = [
  ["forces", "Contact forces"],
  ["both", "Forces on both bodies"],
  ["trails", "Trails (t)"],
  ["labels", "Names (l)"],
  ["marks", "Joints and loads"],
  ["axes", "Axes of bodies and joints"],
  ["grid", "Grid"],
  ["shadows", "Shadows"],
];

/** Bodies in the list at a time. */
const MOST_BODIES = 60;

/** @typedef {{labels: boolean, trails: boolean, forces: boolean, both: boolean, law: string, marks: boolean,
 *   axes: boolean, grid: boolean, shadows: boolean, follow: string}} Settings */

/**
 * @param {HTMLElement} home
 * @param {{settings: Settings, run: import("../data.js").Run, planar: boolean, colour(body: number): string,
 *   apply(): void, fit(): void, picture(): void, turnTo(side: string): void, showBody(body: number, shown: boolean): void,
 *   trailBody(body: number, shown: boolean): void, hasTrail(body: number): boolean}} stage
 */
export function mountTools(home, stage, scope) {
  const { settings, run, planar } = stage;
  const boxes = new Map();
  /** What shows a setting that is no box. @type {(() => void)[]} */
  const shown = [];

  const follow = followChoice(run, (value) => {
    settings.follow = value;
    stage.apply();
  });

  const menu = element("div", { class: "menu" }, element("h2", { text: "Shown" }));
  for (const [key, text] of SWITCHES) {
    if ((key === "forces" || key === "both") && !run.scene.contacts.length) continue;
    if (key === "shadows" && planar) continue;
    const box = element("input", {
      type: "checkbox",
      onchange: () => {
        settings[key] = box.checked;
        stage.apply();
      },
    });
    box.checked = settings[key];
    boxes.set(key, box);
    menu.append(element("label", {}, box, text));
  }
  const arrows = choice(
    "Length of the force arrows",
    [
      ["root", "√ force"],
      ["linear", "∝ force"],
    ],
    settings.law,
    (value) => {
      settings.law = value;
      stage.apply();
    },
  );
  shown.push(() => (arrows.value = settings.law));
  if (run.scene.contacts.length) menu.append(named("Arrows", arrows));
  if (!planar)
    menu.append(
      named(
        "Look from",
        choice(
          "Direction of view",
          Object.keys(SIDES).map((name) => [name, name]),
          "oblique",
          stage.turnTo,
        ),
      ),
    );
  if (!planar) menu.append(...sectionTools(settings, stage.apply, shown));
  const bodies = bodyList(stage);
  menu.append(element("h2", { text: "Bodies" }), bodies.node);

  const details = element("details", {}, element("summary", { title: "What is drawn", text: "View" }), menu);
  details.addEventListener("toggle", () => details.open && bodies.fill());
  scope.listen(document, "pointerdown", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.firstElementChild.focus();
    event.preventDefault();
  });
  home.append(
    element(
      "div",
      { class: "tools" },
      follow,
      details,
      iconButton("fit", "Fit the view to the motion (f)", stage.fit),
      iconButton("picture", "Save the scene as a picture (PNG)", stage.picture),
    ),
  );
  return {
    /** Shows the settings as they are. */
    refresh() {
      for (const [key, box] of boxes) box.checked = settings[key];
      follow.value = settings.follow;
      for (const show of shown) show();
    },
  };
}

/** A plane that cuts what is drawn, and where it stands. @param {(() => void)[]} shown  takes what shows the settings */
function sectionTools(settings, apply, shown) {
  const place = element("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "0.005",
    value: String(settings.depth),
    "aria-label": "Place of the section",
    oninput: () => {
      settings.depth = Number(place.value);
      apply();
    },
  });
  const options = [["", "none"], ...["x", "y", "z"].map((axis) => [axis, `across ${axis}`])];
  const axis = choice("Section of the scene", options, settings.section, (value) => {
    settings.section = value;
    place.hidden = !value;
    apply();
  });
  place.hidden = true;
  shown.push(() => {
    axis.value = settings.section;
    place.value = String(settings.depth);
    place.hidden = !settings.section;
  });
  return [named("Section", axis), place];
}

/** A choice with its name before it. @param {string} text @param {HTMLElement} select */
function named(text, select) {
  return element("label", { class: "choice" }, text, select);
}

/** What the camera follows: nothing, a body or a contact; the ground goes nowhere. */
function followChoice(run, change) {
  const named = (kind) => (name, k) => [`${kind} ${k}`, `follow ${name}`];
  return pick(
    "What the camera follows",
    [
      ["", "Camera at rest"],
      ...run.scene.bodies.map(({ name }) => name).map(named("body")).slice(1),
      ...run.scene.contacts.map(({ name }) => name).map(named("contact")),
    ],
    "",
    change,
  );
}

/** Bodies with a box to show each and a box for its trail; of many those that a search finds. */
function bodyList(stage) {
  const bodies = stage.run.scene.bodies.map(({ name }, body) => [body, name]);
  const hidden = new Set(),
    seen = new Set();
  const list = element("div", { class: stage.planar ? "bodies" : "bodies three" });
  const box = (title, checked, change) => {
    const made = element("input", {
      type: "checkbox",
      title,
      "aria-label": title,
      onchange: () => change(made.checked),
    });
    made.checked = checked;
    return made;
  };
  const row = ([body, name]) => [
    element(
      "span",
      { class: "name", title: name },
      element("i", { class: "swatch", style: `--swatch: var(--${stage.colour(body)})` }),
      name,
    ),
    box(`show ${name}`, !hidden.has(body), (shown) => {
      hidden[shown ? "delete" : "add"](body);
      stage.showBody(body, shown);
    }),
    body === 0
      ? element("span")
      : box(`trail of ${name}`, stage.hasTrail(body), (shown) => stage.trailBody(body, shown)),
    ...(stage.planar ? [] : [box(`see through ${name}`, seen.has(body), (on) => xray(body, on))]),
  ];
  const xray = (body, on) => {
    seen[on ? "add" : "delete"](body);
    stage.xrayBody(body, on);
  };
  const fill = () => {
    const found = matches(bodies, search.value, MOST_BODIES + 1);
    list.replaceChildren(
      element("span"),
      element("span", { text: "shown" }),
      element("span", { text: "trail" }),
      ...(stage.planar ? [] : [element("span", { text: "x-ray" })]),
      ...found.slice(0, MOST_BODIES).flatMap(row),
    );
    if (found.length > MOST_BODIES) list.append(element("span", { text: "… and more: search." }));
  };
  const search = element("input", {
    type: "search",
    class: "p-search",
    placeholder: "Search bodies",
    "aria-label": "Search bodies",
    oninput: fill,
  });
  search.hidden = bodies.length <= MOST_BODIES;
  return { node: element("div", {}, search, list), fill };
}

/** The corner with the length scale and what the force arrows mean. */
export class Corner {
  /**
   * @param {HTMLElement} home
   * @param {number} step  of the grid, where it tells the scale as long as no contact is framed; 0: a bar always does
   */
  constructor(home, step) {
    this.text = element("span");
    this.bar = element("i");
    this.scale = element("div", { class: "scale" }, this.text, this.bar);
    this.forces = element("div", { class: "forces" }, element("span"));
    this.forces.firstElementChild.innerHTML =
      '<svg viewBox="0 0 30 10" aria-hidden="true"><path fill="currentColor" ' +
      'd="M0 4h19V0l11 5-11 5V6H0z"/></svg>';
    this.meaning = element("span");
    this.forces.append(this.meaning);
    this.longest = 0;
    this.step = step;
    home.append(element("div", { class: "corner" }, this.scale, this.forces));
  }

  /** @param {Settings} settings @param {boolean} near  a contact is framed */
  apply({ forces, law, grid }, near) {
    this.shown = forces;
    this.law = law === "root" ? "√force" : "force";
    this.ruled = this.step > 0 && !near;
    this.bar.hidden = this.ruled;
    this.scale.hidden = this.ruled && !grid;
    if (this.ruled) this.text.textContent = `grid ${valueText(this.step, "m", 3)}`;
    this.pixel = NaN;
    this.longest = NaN;
  }

  /** What the arrows mean. @param {number} longest  force of the longest one [N], 0: there is none */
  tell(longest) {
    if (longest === this.longest) return;
    this.longest = longest;
    this.forces.hidden = !this.shown || !(longest > 0);
    this.meaning.textContent = `${valueText(longest, "N", 3)}, length ∝ ${this.law}`;
  }

  /** Length of the bar when the zoom changed. @param {number} pixel  length of a pixel [m] */
  measure(pixel) {
    if (this.ruled || pixel === this.pixel) return;
    this.pixel = pixel;
    const length = niceStep(60 * pixel);
    this.text.textContent = valueText(length, "m", 3);
    this.bar.style.width = `${Math.round(length / pixel)}px`;
  }
}
