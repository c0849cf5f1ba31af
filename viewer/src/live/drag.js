// Bodies drawn with the mouse: the point that was taken follows the pointer in a plane that faces the camera.
import { Plane, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import { bodyAt } from "../scene/hover.js";

export function startDrag(stage, hand) {
  if (!stage?.troupe) return;
  const { canvas, view } = stage;
  const { actor, run } = stage.troupe[0];
  const caster = new Raycaster();
  const place = new Vector2();
  const plane = new Plane();
  const normal = new Vector3();
  const target = new Vector3();
  const turn = new Quaternion();
  const position = new Vector3();
  let taken = null;

  /** Aims at what is under the pointer. @param {PointerEvent} event */
  function aim(event) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    place.set((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    caster.setFromCamera(place, view.camera);
  }

  const { scope } = stage;
  scope.listen(
    canvas,
    "pointerdown",
    (event) => {
      if (event.button !== 0 || event.shiftKey) return;
      aim(event);
      const found = bodyAt(stage, caster, place);
      if (!found) return;
      actor.motion.pose(found.body, position, turn);
      const point = found.point.clone().sub(position).applyQuaternion(turn.invert());
      if (stage.planar) point.z = 0;
      view.camera.getWorldDirection(normal);
      plane.setFromNormalAndCoplanarPoint(normal, found.point);
      taken = { name: run.scene.bodies[found.body].name, point: point.toArray() };
      view.controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
      canvas.style.cursor = "grabbing";
    },
    { capture: true },
  );
  scope.listen(canvas, "pointermove", (event) => {
    if (!taken) return;
    aim(event);
    if (!caster.ray.intersectPlane(plane, target)) return;
    hand.draw(taken.name, taken.point, target.toArray());
  });
  for (const type of ["pointerup", "pointercancel"])
    scope.listen(canvas, type, () => {
      if (!taken) return;
      taken = null;
      view.controls.enabled = true;
      canvas.style.cursor = "";
    });
}
