// Soft shadows in space, of a lamp that stands above the bodies, upon each other and upon walls or the floor of the grid.
import { DirectionalLight, Group, Mesh, PlaneGeometry, ShadowMaterial, Vector3 } from "three";
import { isUnbounded } from "./layout.js";

/** Side of the map of depths [px]. */
const MAP = 2048;

/** Towards the lamp, from above and from the side of the first view. */
const ABOVE = new Vector3(0.25, -0.35, 1).normalize();

/** What the sky keeps of its light, and what the lamp gives. */
const SKY = 0.7,
  LAMP = 1.2;

/** True where a picture with shadows takes no longer than one without: not where a processor draws. */
export function isAtEase(context) {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Shadows {
  /**
   * @param {import("three").WebGLRenderer} renderer @param {import("three").Scene} scene
   * @param {import("three").HemisphereLight} sky @param {import("./actor.js").Actor} actor  about which the lamp stands
   * @param {number} height  of the floor [m]
   */
  constructor(renderer, scene, sky, actor, height) {
    this.renderer = renderer;
    this.sky = sky;
    this.full = sky.intensity;
    this.actor = actor;
    this.height = height;
    const shapes = actor.run.scene.shapes.filter(({ body }) => body > 0);
    this.size = Math.max(0.1 * actor.look.size, ...shapes.map(({ mesh }) => actor.radii[mesh]));
    this.lamp = new DirectionalLight(0xffffff, LAMP);
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(MAP, MAP);
    this.lamp.shadow.radius = 3;
    this.floor = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -900;
    // a wall of the ground has it upon itself
    this.floor.visible = !actor.run.scene.shapes.some((shape) => shape.body === 0 && isUnbounded(shape));
    this.group = new Group();
    this.group.add(this.lamp, this.lamp.target, this.floor);
    this.group.visible = false;
    scene.add(this.group);
    this.low = new Vector3();
    this.high = new Vector3();
    this.at = new Vector3();
  }

  /** Switches them; what one sees through throws none. @param {boolean} on */
  apply(on) {
    this.renderer.shadowMap.enabled = on;
    this.group.visible = on;
    this.sky.intensity = on ? SKY * this.full : this.full;
    if (!on) return;
    this.actor.group.traverse((object) => {
      const { material } = object;
      if (!object.isMesh || !material.isMeshLambertMaterial) return;
      // walls are there for those who stand before them alone
      object.castShadow = material.opacity >= 1 && !material.userData.oneSided;
      object.receiveShadow = true;
    });
  }

  /** The floor's surface goes with the scene. */
  free() {
    this.floor.material.dispose();
    this.lamp.dispose();
  }

  /** Moves the lamp along with the bodies. */
  carry() {
    if (!this.group.visible) return;
    const { low, high, at, lamp, floor, actor } = this;
    low.setScalar(Infinity);
    high.setScalar(-Infinity);
    for (let body = 1; body < actor.nodes.length; body++) {
      const node = actor.nodes[body];
      if (!node.visible) continue;
      at.setFromMatrixPosition(node.matrix);
      low.min(at);
      high.max(at);
    }
    if (!(low.x <= high.x)) return;
    const reach = 0.5 * low.distanceTo(high) + this.size;
    at.addVectors(low, high).multiplyScalar(0.5);
    lamp.target.position.copy(at);
    lamp.position.copy(at).addScaledVector(ABOVE, 3 * reach);
    const drop = Math.max(at.z - this.height, 0);
    const { camera } = lamp.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = reach;
    camera.far = 5 * reach + 2 * drop;
    camera.updateProjectionMatrix();
    lamp.shadow.normalBias = (4 * reach) / MAP;
    const fall = drop / ABOVE.z;
    floor.position.set(at.x - fall * ABOVE.x, at.y - fall * ABOVE.y, this.height);
    floor.scale.setScalar(3 * reach);
  }
}
