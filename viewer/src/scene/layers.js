/** Order in which planar things are drawn upon each other; within a layer later bodies are above. */
export const LAYER = { rail: 0, stick: 1, mark: 2, fill: 3, edge: 4, axis: 5 };
