// Camera and its controls: planar models from the front without perspective, spatial ones in perspective with z up.
import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, Sphere, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Directions from which spatial models are seen. */
export const SIDES = {
  oblique: new Vector3(0.62, -1, 0.48).normalize(),
  front: new Vector3(0, -1, 0),
  side: new Vector3(1, 0, 0),
  top: new Vector3(0, -1e-4, 1).normalize(),
};

/** @typedef {{position: Vector3, target: Vector3, zoom: number, following: boolean}} Place */

const FIELD = 36;
const MARGIN = 1.06;

/** A contact that is framed fills so much of the picture, and is seen from so far above its surface. */
const FRAMED = 1 / 3,
  TILT = 0.15;

/** Height that tools and scales take from the picture above and below [px]. */
const TAKEN = 88;

export class View {
  /** @param {HTMLCanvasElement} canvas @param {boolean} planar @param {() => void} changed */
  constructor(canvas, planar, changed) {
    this.planar = planar;
    this.width = 1;
    this.height = 1;
    this.side = planar ? new Vector3(0, 0, 1) : SIDES.oblique;
    this.camera = planar ? new OrthographicCamera() : new PerspectiveCamera(FIELD, 1);
    if (!planar) this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.enableDamping = false;
    if (planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("change", changed);
    this.followed = new Vector3();
    this.following = false;
    this.shift = new Vector3();
    this.sphere = new Sphere();
    this.reach = 1;
    this.fitted = 1;
  }

  /** @param {number} width @param {number} height  of the picture [px] */
  resize(width, height) {
    this.width = width;
    this.height = height;
    if (this.planar) {
      this.camera.left = -width / height;
      this.camera.right = width / height;
      this.camera.top = 1;
      this.camera.bottom = -1;
    } else {
      this.camera.aspect = width / height;
    }
    this.camera.updateProjectionMatrix();
  }

  /** Shows a whole box. @param {Box3} box */
  fit(box) {
    const { camera, controls, sphere } = this;
    box.getBoundingSphere(sphere);
    const reach = Math.max(sphere.radius, 1e-12);
    this.reach = reach;
    controls.target.copy(sphere.center);
    if (this.planar) {
      const aspect = this.width / this.height;
      const size = box.getSize(this.shift);
      const free = this.height / Math.max(this.height - TAKEN, 0.5 * this.height);
      const half = 0.5 * MARGIN * Math.max(size.y * free, size.x / aspect, 0.05 * reach);
      camera.position.copy(sphere.center).addScaledVector(this.side, 10 * reach);
      camera.zoom = 1 / half;
      this.fitted = half;
      camera.near = 0;
      camera.far = 20 * reach;
    } else {
      const distance = Math.max(MARGIN * this.distanceTo(box), 1e-9 * reach);
      camera.position.copy(sphere.center).addScaledVector(this.side, distance);
      this.fitted = distance;
    }
    camera.updateProjectionMatrix();
    controls.update();
  }

  /** From how far all corners of a box are in the picture, looked at its middle. @param {Box3} box */
  distanceTo(box) {
    const { camera, shift } = this;
    const free = Math.max(this.height - TAKEN, 0.5 * this.height) / this.height;
    const up = Math.tan((FIELD / 2) * (Math.PI / 180));
    const side = up * (this.width / this.height);
    const right = new Vector3().crossVectors(camera.up, this.side).normalize();
    const top = new Vector3().crossVectors(this.side, right);
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      shift.set(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      const sideways = Math.abs(shift.dot(right)) / side;
      const upwards = Math.abs(shift.dot(top)) / (up * free);
      distance = Math.max(distance, Math.max(sideways, upwards) + shift.dot(this.side));
    }
    return distance;
  }

  /** Zooms, about the target, to where a ball of a radius fills a good part of the picture. @param {number} radius */
  zoomTo(radius) {
    const { camera, controls, shift } = this;
    if (this.planar) {
      camera.zoom = 1 / (3 * radius);
      camera.updateProjectionMatrix();
    } else {
      shift
        .subVectors(camera.position, controls.target)
        .setLength((3 * radius) / Math.tan((FIELD / 2) * (Math.PI / 180)));
      camera.position.addVectors(controls.target, shift);
    }
    controls.update();
  }

  /** Where the camera is, to go back to. @returns {Place} */
  get place() {
    const { camera, controls, following } = this;
    return { position: camera.position.clone(), target: controls.target.clone(), zoom: camera.zoom, following };
  }

  set place({ position, target, zoom, following }) {
    this.camera.position.copy(position);
    this.controls.target.copy(target);
    this.camera.zoom = zoom;
    this.following = following;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /**
   * Looks at a point so closely that a width of it fills a third of the picture; in space along a contact's surface,
   * from a side, or from where the camera was, about.
   * @param {Vector3} point @param {Vector3} normal  unit vector @param {number} size [m] @param {Vector3|null} side
   */
  frame(point, normal, size, side) {
    const { camera, controls, shift } = this;
    const least = Math.min(1, this.width / this.height);
    const half = (0.5 * size) / (FRAMED * least);
    controls.target.copy(point);
    if (this.planar) {
      camera.position.copy(point).addScaledVector(this.side, 10 * this.reach);
      camera.zoom = 1 / half;
      camera.updateProjectionMatrix();
    } else {
      const from = side ?? this.side;
      shift.copy(from).addScaledVector(normal, -from.dot(normal));
      if (shift.lengthSq() < 1e-6) shift.set(1, 0, 0).addScaledVector(normal, -normal.x);
      shift.normalize().addScaledVector(camera.up, TILT).normalize();
      camera.position.copy(point).addScaledVector(shift, half / Math.tan((FIELD / 2) * (Math.PI / 180)));
    }
    controls.update();
    this.following = false;
  }

  /** Length of a pixel where the camera looks at [m]. */
  get fineness() {
    return this.planar ? this.pixel : this.pixel * this.camera.position.distanceTo(this.controls.target);
  }

  /** Looks from a side of SIDES. @param {string} name */
  turnTo(name) {
    this.side = SIDES[name];
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(this.side, distance);
    this.controls.update();
  }

  /** Looks at what it looks at as from another place at another target. @param {Place} place */
  look({ position, target, zoom }) {
    const { camera, controls } = this;
    camera.position.addVectors(controls.target, this.shift.subVectors(position, target));
    camera.zoom = zoom;
    camera.updateProjectionMatrix();
    controls.update();
  }

  /** Moves camera and target along with a point; the first call brings it to the middle. @param {Vector3} point */
  follow(point) {
    this.shift.subVectors(point, this.following ? this.followed : this.controls.target);
    this.followed.copy(point);
    this.following = true;
    this.camera.position.add(this.shift);
    this.controls.target.add(this.shift);
  }

  /** Before each picture. */
  update() {
    const { camera } = this;
    if (this.planar) return;
    // depths that fit the distance, so that one can come as near as a contact
    const distance = camera.position.distanceTo(this.controls.target);
    const near = distance * 2e-3;
    const far = distance * 4 + this.reach * 40;
    if (Math.abs(camera.near - near) > 0.1 * near || Math.abs(camera.far - far) > 0.1 * far) {
      camera.near = near;
      camera.far = far;
      camera.updateProjectionMatrix();
    }
  }

  /** How much longer a line of the picture is in the scene than when all was shown; at most 1. */
  get closeness() {
    const now = this.planar ? 1 / this.camera.zoom : this.camera.position.distanceTo(this.controls.target);
    return Math.min(1, now / this.fitted);
  }

  /** Puts a light to the left above the camera. @param {import("three").DirectionalLight} light */
  carry(light) {
    const { camera, controls, shift } = this;
    const distance = camera.position.distanceTo(controls.target);
    camera.updateMatrixWorld();
    light.position
      .copy(camera.position)
      .addScaledVector(shift.setFromMatrixColumn(camera.matrixWorld, 0), -0.5 * distance);
    light.position.addScaledVector(shift.setFromMatrixColumn(camera.matrixWorld, 1), 0.8 * distance);
    light.target.position.copy(controls.target);
  }

  /** Length of one pixel: in the scene (planar), or at distance one. */
  get pixel() {
    if (this.planar) return 2 / (this.camera.zoom * this.height);
    return (2 * Math.tan((FIELD / 2) * (Math.PI / 180))) / this.height;
  }
}
