// Pieces of shader that several materials share.

/** Uniforms of every material: the camera, the shift of a periodic copy, light and theme. */
export const common = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec3 shift;
uniform bool ortho;
uniform vec2 resolution;
`;

/** A number as a colour, to be read back exactly: kind in the fourth byte. */
export const encodeId = /* glsl */ `
vec4 encodeId(uint id, uint kind) {
  return vec4(float(id & 255u), float((id >> 8) & 255u), float((id >> 16) & 255u), float(kind)) / 255.0;
}
`;

/** Light from the upper left behind the viewer, a sky from above; n is in view space. */
export const light = /* glsl */ `
vec3 lit(vec3 colour, vec3 n) {
  float key = max(dot(n, normalize(vec3(-0.45, 0.6, 0.75))), 0.0);
  float fill = 0.5 + 0.5 * n.y;
  float edge = smoothstep(0.0, 0.55, n.z);
  float shine = pow(max(dot(reflect(vec3(0.0, 0.0, -1.0), n), normalize(vec3(-0.45, 0.6, 0.75))), 0.0), 40.0);
  return colour * (0.34 + 0.2 * fill + 0.54 * key) * mix(0.62, 1.0, edge) + 0.1 * shine;
}
`;

/** A point in view space as depth. */
export const depth = /* glsl */ `
float depthOf(vec3 p) {
  vec4 clip = projectionMatrix * vec4(p, 1.0);
  return 0.5 * clip.z / clip.w + 0.5;
}
`;
