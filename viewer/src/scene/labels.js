// Names of the bodies beside their centres of mass, as pictures of text that keep their size on the screen.
import { CanvasTexture, Group, LinearFilter, Sprite, SpriteMaterial, Vector3 } from "three";

/** Height of a label [px]. */
const HEIGHT = 18;
const SHARPNESS = 2;

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
    /** @type {(Sprite|null)[]} */
    this.sprites = [];
  }

  /** @param {boolean} shown */
  show(shown) {
    this.group.visible = shown;
    if (shown && !this.sprites.length) this.draw();
  }

  /** Draws the texts anew, with the colours of the present theme. */
  draw() {
    const { run, planar } = this.actor;
    for (const sprite of this.sprites) {
      sprite?.material.map.dispose();
      sprite?.material.dispose();
    }
    this.group.clear();
    this.sprites = run.scene.bodies.map(({ name }, body) => {
      if (body === 0) return null;
      const picture = pictureOf(name);
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
      return sprite;
    });
  }

  /** @param {number} unit  length of one pixel in the scene (planar), or at distance one */
  update(unit) {
    if (!this.group.visible) return;
    for (let body = 1; body < this.sprites.length; body++) {
      const sprite = this.sprites[body];
      const node = this.actor.nodes[body];
      sprite.visible = node.visible;
      sprite.position.setFromMatrixPosition(node.matrix);
      sprite.scale.copy(sprite.userData.size).multiplyScalar(unit);
    }
  }
}
