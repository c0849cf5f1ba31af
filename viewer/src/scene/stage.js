// The stage: renderer, camera, and one actor a run with its forces, trails and names. It draws only when something
// changed.
import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  Plane,
  Quaternion,
  Scene,
  Vector3,
} from "three";
import { download, fileName } from "../plots/dom.js";
import { niceStep } from "../plots/units.js";
import { Actor } from "./actor.js";
import { Forces } from "./forces.js";
import { Framing } from "./framing.js";
import { makeGrid } from "./grid.js";
import { mountHover } from "./hover.js";
import { Labels } from "./labels.js";
import { boundsOf, contactSize, shapesOf, viewBox } from "./layout.js";
import { Motion } from "./motion.js";
import { colourOf, Paint, seriesName } from "./paint.js";
import { Reference } from "./reference.js";
import { isAtEase, Shadows } from "./shadows.js";
import { Corner, mountTools } from "./tools.js";
import { Trails } from "./trails.js";
import { View } from "./view.js";

/** A picture that takes longer than this is drawn with one point a pixel [ms]. */
const SLOW_PICTURE = 8;
const FIRST_PICTURES = 5;

/** Size of what symbols fit, in lengths of the model, at most. */
const TRAVEL = 4;

/** How far they reach, as a part of it. */
const SYMBOL = 0.05;

/** Bodies of which all have a trail at first. */
const MANY_BODIES = 12;

/** Name of a thing of a list, or its number from a name; undefined: there is none. */
const nameAt = (list, number) => list[number]?.name;
const numberOf = (list, name) => {
  const k = list.findIndex((one) => one.name === name);
  return k < 0 ? undefined : k;
};

export class Stage {
  /**
   * @param {HTMLElement} home @param {import("three").WebGLRenderer} renderer
   * @param {import("../data.js").Run[]} runs @param {import("../clock.js").Clock} clock
   * @param {import("../scope.js").Scope} scope
   */
  constructor(home, renderer, runs, clock, scope) {
    const canvas = renderer.domElement;
    this.canvas = canvas;
    this.clock = clock;
    this.scope = scope;
    this.renderer = renderer;
    this.scene = new Scene();
    this.scene.background = new Color();
    this.settings = {
      labels: false,
      trails: false,
      forces: true,
      both: false,
      law: "root",
      marks: true,
      axes: false,
      grid: true,
      shadows: false,
      section: "",
      depth: 0.5,
      follow: "",
    };
    this.drawTime = 0;
    this.drawCount = 0;
    this.dirty = false;
    /** What the camera follows. @type {{key: string, kind: string, index: number} | null} */
    this.followed = null;
    this.point = new Vector3();
    this.cast(runs);
    this.light();
    this.settings.shadows = Boolean(this.shadows) && isAtEase(renderer.getContext());
    this.view = new View(canvas, this.planar, () => this.invalidate());
    this.tools = mountTools(home, this.desk(), scope);
    this.corner = new Corner(home, this.planar ? 0 : this.grid.userData.step);
    this.framing = new Framing(this);
    mountHover(home, canvas, this);
    this.fitted = false;
    /** The camera of the stage before, to be taken with the first picture. @type {import("./view.js").Place | null} */
    this.wanted = null;
    scope.observeSize(home, () => this.resize());
    scope.listen(window, "carom-theme", () => this.recolour());
    scope.add(() => this.free());
    this.recolour();
    this.apply();
    scope.add(
      clock.subscribe(() => {
        this.dirty = true;
        this.flush();
      }),
    );
  }

  /** Gives back what the graphics card holds of it; the renderer serves the next stage. */
  free() {
    this.freed = true;
    this.view.controls.dispose();
    this.scene.traverse((object) => {
      object.geometry?.dispose();
      // instances tell the renderer by themselves
      if (object.isInstancedMesh) object.dispatchEvent({ type: "dispose" });
    });
    for (const { actor, labels } of this.troupe) {
      actor.free();
      labels.draw();
    }
    this.shadows?.free();
    this.paint.free();
  }

  /** Makes the actors of all runs that can be drawn. */
  cast(runs) {
    const drawn = runs.filter((run) => run.scene && run.snapshots.times.length);
    this.planar = drawn[0].dimension === 2;
    this.run = drawn[0];
    this.paint = new Paint(this.planar);
    const motions = drawn.map((run) => new Motion(run));
    const bounds = { first: new Box3(), whole: new Box3() };
    drawn.forEach((run, k) => {
      const { first, whole } = boundsOf(run, motions[k]);
      bounds.first.union(first);
      bounds.whole.union(whole);
    });
    /** What the first view shows. */
    this.box = viewBox(bounds);
    // symbols fit the model even where it travels far
    const span = this.box.getSize(this.point).length();
    this.whole = bounds.whole;
    this.plane = new Plane();
    this.extent = bounds.whole.getSize(this.point).length();
    const size = Math.min(span, TRAVEL * (this.run.length || Infinity));
    // symbols of bodies without shapes reach beyond their points
    if (drawn.some((run) => shapesOf(run.scene).some((list, body) => body > 0 && !list.length)))
      this.box.expandByVector(this.point.set(1, 1, this.planar ? 0 : 1).multiplyScalar(SYMBOL * size));
    this.reference = new Reference(motions);
    this.troupe = drawn.map((run, k) => {
      const look = {
        size,
        colour: drawn.length > 1 ? seriesName(run.index ?? k) : null,
        opacity: k === 0 ? 1 : 0.4,
        order: drawn.length - k,
      };
      const actor = new Actor(run, motions[k], this.paint, look);
      const member = {
        run,
        actor,
        forces: new Forces(actor, span),
        trails: new Trails(actor),
        labels: new Labels(actor),
        shown: true,
      };
      member.forces.group.renderOrder = drawn.length + 1;
      member.labels.group.renderOrder = drawn.length + 2;
      this.scene.add(actor.group, member.forces.group, member.trails.group, member.labels.group);
      const count = run.scene.bodies.length;
      for (let body = 1; body < count; body++)
        if (count <= MANY_BODIES || body === count - 1) member.trails.choose(body, true);
      return member;
    });
    this.grid = makeGrid(this.box, bounds.whole, this.planar, this.paint);
    this.scene.add(this.grid);
  }

  /** Soft light from above and from the camera's side. */
  light() {
    if (this.planar) return;
    const sky = new HemisphereLight(0xffffff, 0x8a8f98, 2.1);
    sky.position.set(0, 0, 1);
    this.sun = new DirectionalLight(0xffffff, 1.6);
    this.scene.add(sky, this.sun, this.sun.target);
    this.shadows = new Shadows(this.renderer, this.scene, sky, this.troupe[0].actor, this.whole.min.z);
  }

  /** What the tools may do. */
  desk() {
    const first = this.troupe[0];
    return {
      settings: this.settings,
      run: first.run,
      planar: this.planar,
      colour: (body) => first.actor.colour(body),
      apply: () => this.apply(),
      fit: () => this.fit(),
      picture: () => this.picture(),
      turnTo: (side) => this.view.turnTo(side),
      hasTrail: (body) => first.trails.chosen.has(body),
      showBody: (body, shown) => {
        for (const { actor } of this.troupe) if (actor.nodes[body]) actor.nodes[body].userData.hidden = !shown;
        if (body === 0) for (const { actor } of this.troupe) actor.nodes[0].visible = shown;
        this.invalidate();
      },
      xrayBody: (body, on) => {
        for (const { actor } of this.troupe) actor.xray.chosen[on ? "add" : "delete"](body);
        this.apply();
      },
      trailBody: (body, shown) => {
        this.settings.trails = true;
        for (const { trails } of this.troupe) if (body < trails.trails.length) trails.choose(body, shown);
        this.tools.refresh();
        this.apply();
      },
    };
  }

  /** Lets the settings act. */
  apply() {
    const { settings } = this;
    if (settings.follow !== (this.followed?.key ?? "")) {
      const [kind, index] = settings.follow.split(" ");
      this.followed = kind ? { key: settings.follow, kind, index: Number(index) } : null;
      this.view.following = false;
      this.framing.forget();
      if (kind === "contact") this.view.zoomTo(contactSize(this.run, Number(index)));
    }
    this.grid.visible = settings.grid;
    for (const { actor, forces, trails, labels, shown } of this.troupe) {
      actor.group.visible = shown;
      actor.xray.apply(this.framing?.frame && actor === this.framing.actor ? this.framing.frame.bodies : null);
      actor.marks.show(settings.marks, settings.axes);
      actor.loads.show(settings.marks);
      forces.group.visible = shown && settings.forces;
      forces.both = settings.both;
      forces.law = settings.law;
      trails.show(shown && settings.trails);
      labels.show(shown && settings.labels);
    }
    this.shadows?.apply(settings.shadows);
    this.corner.apply(settings, Boolean(this.framing?.frame));
    this.invalidate();
  }

  /** Leaves out what lies before a plane across the motion, as seen from the camera. */
  cut() {
    const { section, depth } = this.settings;
    this.renderer.clippingPlanes = section ? [this.plane] : [];
    if (!section) return;
    const { min, max } = this.whole;
    const place = min[section] + depth * (max[section] - min[section]);
    const side = this.view.camera.position[section] > place ? -1 : 1;
    this.plane.normal.set(0, 0, 0)[section] = side;
    this.plane.constant = -side * place;
  }

  /** @param {"labels"|"trails"} key */
  toggle(key) {
    this.settings[key] = !this.settings[key];
    this.tools.refresh();
    this.apply();
  }

  /** @param {number} index  of the page's runs @param {boolean} shown */
  showRun(index, shown) {
    for (const member of this.troupe) if (member.run.index === index) member.shown = shown;
    this.apply();
  }

  fit() {
    this.framing.forget();
    this.view.following = false;
    this.view.fit(this.box);
    this.apply();
  }

  recolour() {
    this.paint.recolour();
    colourOf("scene", this.scene.background);
    for (const { labels } of this.troupe) labels.draw();
    this.invalidate();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.drawTime > SLOW_PICTURE ? 1 : 2));
    this.renderer.setSize(width, height, false);
    this.view.resize(width, height);
    if (!this.fitted) {
      this.view.fit(this.box);
      if (this.wanted) this.view.place = this.wanted;
      // once with arrows, though of no size: the first impact must not wait for their shaders
      this.renderer.render(this.scene, this.view.camera);
    }
    this.fitted = true;
    // in the same picture as the new size, so that nothing flickers
    this.redraw();
  }

  /**
   * Holds bodies where they are told to be, whatever the time.
   * @param {{name: string, position: number[], orientation: number[]}[]} bodies  orientation: w, x, y, z
   */
  hold(bodies) {
    for (const { actor, run } of this.troupe) {
      const places = new Map(bodies.map((body) => [body.name, body]));
      actor.motion.held = run.scene.bodies.map(({ name }) => {
        const place = places.get(name);
        if (!place) return null;
        const [w, x, y, z] = place.orientation;
        return { position: new Vector3(...place.position), turn: new Quaternion(x, y, z, w) };
      });
    }
    this.redraw();
  }

  /** Where the camera is and was before it went to a contact, for takeView() of another stage of the model. */
  keptView() {
    const { view, framing } = this;
    const now = view.place;
    const near = framing.frame ? now : null;
    return { planar: this.planar, place: framing.back ?? now, near, settings: this.names(nameAt) };
  }

  /** The settings, with what is followed by name or by number. @param {typeof nameAt} change */
  names(change, settings = this.settings) {
    const [kind, key] = settings.follow.split(/ (.*)/);
    const lists = { body: this.run.scene.bodies, contact: this.run.scene.contacts };
    const found = kind ? change(lists[kind], key) : undefined;
    return { ...settings, follow: found === undefined ? "" : `${kind} ${found}` };
  }

  /** Before the first picture. @param {ReturnType<Stage["keptView"]>} kept */
  takeView({ planar, settings, place }) {
    if (planar !== this.planar) return;
    Object.assign(this.settings, this.names(numberOf, settings));
    this.tools.refresh();
    this.apply();
    this.wanted = { ...place, following: false };
  }

  /** Where the contact that is framed is in the picture. */
  get seen() {
    return this.framing.seen;
  }

  /** For scripts: where the centre of mass of a body of the first run is in the picture [px]. @param {number} body */
  place(body) {
    const { view } = this;
    const { x, y } = this.point.setFromMatrixPosition(this.troupe[0].actor.nodes[body].matrix).project(view.camera);
    return { x: 0.5 * (1 + x) * view.width, y: 0.5 * (1 - y) * view.height };
  }

  /** Calls that the last picture took. */
  get calls() {
    return this.renderer.info.render.calls;
  }

  // ---- drawing ----

  invalidate() {
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.flush());
  }

  redraw() {
    this.dirty = true;
    this.flush();
  }

  /** Draws, if something changed since the last time. */
  flush() {
    if (!this.dirty || !this.fitted || this.freed) return;
    this.dirty = false;
    const started = performance.now();
    this.draw();
    // the first pictures compile the shaders
    if (++this.drawCount <= FIRST_PICTURES) return;
    this.drawTime += 0.1 * (Math.min(performance.now() - started, 5 * SLOW_PICTURE) - this.drawTime);
    if (this.drawTime > SLOW_PICTURE && this.renderer.getPixelRatio() > 1) this.resize();
  }

  draw() {
    const { t } = this.clock;
    const { view } = this;
    const longest = this.longestForce(t);
    for (const member of this.troupe) {
      if (!member.shown) continue;
      member.actor.shrink(view.closeness);
      member.actor.update(t);
      member.forces.largest = longest;
      if (this.settings.forces) member.forces.update();
      member.trails.update(t);
    }
    this.corner.tell(longest);
    this.followPoint();
    view.update();
    view.camera.updateMatrixWorld();
    for (const { labels } of this.troupe) labels.update(view);
    this.cut();
    this.corner.measure(view.fineness);
    if (!this.planar) view.carry(this.sun);
    this.shadows?.carry();
    this.renderer.render(this.scene, view.camera);
  }

  /** Force of the longest arrow: the peak of the impact that is framed, else of what happens about now. */
  longestForce(t) {
    const { impact, frame } = this.framing;
    if (frame && impact.peak_force > 0) return niceStep(impact.peak_force);
    return this.reference.at(t, this.clock.speed);
  }

  /** Lets the camera follow the contact that is framed, else the body or contact that is chosen. */
  followPoint() {
    if (this.framing.frame) {
      this.view.follow(this.framing.world());
      return;
    }
    if (!this.followed) return;
    const { kind, index } = this.followed;
    const { actor } = this.troupe[0];
    if (kind === "body") this.point.setFromMatrixPosition(actor.nodes[index].matrix);
    else if (actor.motion.contacts[index]) actor.motion.vector(actor.motion.contacts[index].point, this.point);
    else return;
    if (Number.isFinite(this.point.x)) this.view.follow(this.point);
  }

  /** Saves the scene as a picture of twice the points. */
  picture() {
    const ratio = this.renderer.getPixelRatio();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setPixelRatio(2);
    this.renderer.setSize(width, height, false);
    this.draw();
    this.canvas.toBlob((blob) => download(`${fileName(this.run.model_name || "scene")}.png`, blob, "image/png"));
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.redraw();
  }
}
