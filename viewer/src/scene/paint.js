// Materials of the scene: one for each kind, colour name and opacity, coloured again when the theme changes. Colour
// names are those of the style sheet without the dashes: "c0", "ground", "force", ...
import { Color, DoubleSide, FrontSide, LineBasicMaterial, MeshBasicMaterial, MeshLambertMaterial } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";

/** Colour of a name in the present theme, or "#rrggbb". @param {string} name @param {Color} [out] */
export function colourOf(name, out = new Color()) {
  if (name.startsWith("#")) return out.set(name);
  return out.set(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

/** Names of the colours that bodies and runs take in turn. @param {number} index */
export function seriesName(index) {
  return `c${index % 8}`;
}

export class Paint {
  /** @param {boolean} planar  planar models are drawn one upon the other, without depth and light */
  constructor(planar) {
    this.planar = planar;
    /** @type {Map<string, import("three").Material & {color: Color}>} */
    this.materials = new Map();
  }

  /**
   * @param {string} kind
   * @param {string} name
   * @param {number} opacity
   * @param {() => import("three").Material} make
   */
  get(kind, name, opacity, make) {
    const key = `${kind} ${name} ${opacity}`;
    let material = this.materials.get(key);
    if (!material) {
      material = make();
      material.opacity = opacity;
      // what is seen through all else is drawn after all that is transparent
      material.transparent = this.planar || opacity < 1 || !material.depthTest;
      if (this.planar) material.depthTest = false;
      if (opacity < 1 || this.planar) material.depthWrite = false;
      colourOf(name, material.color);
      this.materials.set(key, material);
    }
    return material;
  }

  /**
   * Surfaces; moved back a little, so that lines upon them are seen. Walls are not seen from behind: they hide
   * nothing.
   */
  solid(name, opacity = 1, oneSided = false) {
    const side = oneSided ? FrontSide : DoubleSide;
    const options = { side, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, userData: { oneSided } };
    return this.get(oneSided ? "wall" : "solid", name, opacity, () =>
      this.planar ? new MeshBasicMaterial(options) : new MeshLambertMaterial(options),
    );
  }

  /** Surfaces with tones of their own upon the colour. */
  toned(name, opacity = 1) {
    return this.get("toned", name, opacity, () => new MeshLambertMaterial({ vertexColors: true }));
  }

  /** Surfaces without light that are seen through all others. */
  flat(name, opacity = 1) {
    return this.get("flat", name, opacity, () => new MeshBasicMaterial({ side: DoubleSide, depthTest: false }));
  }

  /** Lines of one pixel. */
  thin(name, opacity = 1) {
    return this.get("thin", name, opacity, () => new LineBasicMaterial());
  }

  /** Lines of one pixel that are seen through all else. */
  over(name, opacity = 1) {
    return this.get("over", name, opacity, () => new LineBasicMaterial({ depthTest: false }));
  }

  /** Lines of a width in pixels. @param {number} width */
  wide(name, width, opacity = 1) {
    return this.get(`wide${width}`, name, opacity, () => new LineMaterial({ linewidth: width }));
  }

  free() {
    for (const material of this.materials.values()) material.dispose();
  }

  /** Takes the colours of the present theme. */
  recolour() {
    for (const [key, material] of this.materials) colourOf(key.split(" ")[1], material.color);
  }
}
