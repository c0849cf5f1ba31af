// Names of the bodies beside their centres of mass, as pictures of text that keep their size on the screen.
import { CanvasTexture, Group, LinearFilter, Sprite, SpriteMaterial, Vector3 } from "three";

/** Height of a label [px]. */
const HEIGHT = 18;
const SHARPNESS = 2;

/** Names shown at a time: of more bodies those nearest to what is looked at, as far as they do not cover each other. */
const MOST = 120;
/** How many of the nearest are tried. */
const TRIED = 600;
/** Width of a letter, at least [px]. */
const LETTER = 7;

/** A picture of a text in the present theme. @param {string} text */
function pictureOf(text) {
  const style = getComputedStyle(document.documentElement);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = `600 ${12 * SHARPNESS}px ${getComputedStyle(document.body).fontFamily}`;
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 14 * SHARPNESS;
  canvas.height = HEIGHT * SHARPNESS;
  pen.font = font;
  pen.globalAlpha = 0.82;
  pen.fillStyle = style.getPropertyValue("--scene");
  pen.beginPath();
  pen.roundRect(0, 0, canvas.width, canvas.height, 5 * SHARPNESS);
  pen.fill();
  pen.globalAlpha = 1;
  pen.fillStyle = style.getPropertyValue("--fg");
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, canvas.width / 2, canvas.height / 2 + SHARPNESS);
  return canvas;
}

export class Labels {
  /** @param {import("./actor.js").Actor} actor */
  constructor(actor) {
    this.actor = actor;
    this.group = new Group();
    this.group.visible = false;
    /** @type {(Sprite|undefined)[]} */
    this.sprites = [];
    this.point = new Vector3();
  }

  /** @param {boolean} shown */
  show(shown) {
    this.group.visible = shown;
  }

  /** Forgets the pictures, so that they are drawn again with the colours of the present theme. */
  draw() {
    for (const sprite of this.sprites) {
      sprite?.material.map.dispose();
      sprite?.material.dispose();
    }
    this.group.clear();
    this.sprites = [];
  }

  /** The name of a body, made when it is first shown. */
  spriteOf(body) {
    const { run, planar } = this.actor;
    if (this.sprites[body]) return this.sprites[body];
    const picture = pictureOf(run.scene.bodies[body].name);
    const map = new CanvasTexture(picture);
    map.minFilter = LinearFilter;
    map.generateMipmaps = false;
    const sprite = new Sprite(
      new SpriteMaterial({ map, depthTest: false, sizeAttenuation: planar, toneMapped: false }),
    );
    sprite.center.set(0.5, -0.55);
    sprite.renderOrder = 200000;
    sprite.userData.size = new Vector3(picture.width / SHARPNESS, picture.height / SHARPNESS, 1);
    this.group.add(sprite);
    this.sprites[body] = sprite;
    return sprite;
  }

  /** The bodies whose names are shown. @param {import("./view.js").View} view */
  chosen(view) {
    const { nodes } = this.actor;
    const found = [];
    for (let body = 1; body < nodes.length; body++) if (nodes[body].visible) found.push(body);
    if (found.length <= MOST) return found;
    const { target } = view.controls;
    const far = found.map((body) => this.point.setFromMatrixPosition(nodes[body].matrix).distanceToSquared(target));
    const order = found.map((_, k) => k).sort((a, b) => far[a] - far[b]);
    const taken = [];
    for (const k of order.slice(0, TRIED)) {
      const { x, y, z } = this.point.setFromMatrixPosition(nodes[found[k]].matrix).project(view.camera);
      const place = { body: found[k], x: 0.5 * x * view.width, y: 0.5 * y * view.height };
      place.half = 0.5 * (LETTER * this.actor.run.scene.bodies[found[k]].name.length + 14);
      const free = ({ x: left, y: below, half }) =>
        Math.abs(left - place.x) > half + place.half || Math.abs(below - place.y) > HEIGHT;
      if (Math.abs(x) < 1 && Math.abs(y) < 1 && z < 1 && taken.every(free) && taken.push(place) === MOST) break;
    }
    return taken.map(({ body }) => body);
  }

  /**
   * To the present poses and view.
   * @param {import("./view.js").View} view
   */
  update(view) {
    if (!this.group.visible) return;
    for (const sprite of this.sprites) if (sprite) sprite.visible = false;
    for (const body of this.chosen(view)) {
      const sprite = this.spriteOf(body);
      sprite.visible = true;
      sprite.position.setFromMatrixPosition(this.actor.nodes[body].matrix);
      sprite.scale.copy(sprite.userData.size).multiplyScalar(view.pixel);
    }
  }
}
