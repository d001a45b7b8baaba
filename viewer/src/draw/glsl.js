// Pieces of shader that several materials share.

/** Common to all materials: the camera and the shift of a periodic copy. */
export const common = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec3 shift;
uniform bool ortho;
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0); // outside the view
`;

/** An id as a colour that can be read back exactly; the kind is in the fourth byte. */
export const encodeId = /* glsl */ `
vec4 encodeId(uint id, uint kind) {
  return vec4(float(id & 255u), float((id >> 8) & 255u), float((id >> 16) & 255u), float(kind)) / 255.0;
}
`;

/** Light from the upper left behind the viewer, a sky from above, for what casts no shadow; n is in view space. */
export const plainLight = /* glsl */ `
vec3 lit(vec3 colour, vec3 n) {
  vec3 sun = normalize(vec3(-0.45, 0.6, 0.75));
  float key = max(dot(n, sun), 0.0);
  float fill = 0.5 + 0.5 * n.y;
  float edge = smoothstep(0.0, 0.55, n.z);
  float shine = pow(max(dot(reflect(vec3(0.0, 0.0, -1.0), n), sun), 0.0), 40.0);
  return colour * (0.34 + 0.2 * fill + 0.54 * key) * mix(0.62, 1.0, edge) + 0.1 * shine;
}
`;

/**
 * Light and shadow on a surface at p with the normal n, both in view space: lamp.js tells where the lamp is and what
 * its picture holds. Nine places around a point are looked up there, each itself between four pixels.
 */
export const light = /* glsl */ `
uniform vec3 lamp, zenith; // where they are, seen from here
uniform vec4 shares; // of the light from everywhere, from the sky, from the lamp, from the eye
uniform float glare, shadeStep;
uniform bool shadows;
uniform mat4 toShade;
uniform highp sampler2DShadow shade;
float lampReaches(vec3 p, vec3 n) {
  if (!shadows) return 1.0;
  vec3 at = (toShade * vec4(p + shadeStep * (1.5 * n + 1.5 * lamp), 1.0)).xyz;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float off = 1.3 / float(textureSize(shade, 0).x), sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) sum += texture(shade, vec3(at.xy + off * vec2(i, j), at.z));
  return sum / 9.0;
}
vec3 lit(vec3 colour, vec3 n, vec3 p, float gloss) {
  float facing = dot(n, lamp);
  float reach = facing > 0.0 ? lampReaches(p, n) : 0.0;
  vec3 eye = ortho ? vec3(0.0, 0.0, 1.0) : -normalize(p);
  float bright = shares.x + shares.y * (0.5 + 0.5 * dot(n, zenith)) + shares.z * max(facing, 0.0) * reach
    + shares.w * max(dot(n, eye), 0.0);
  float shine = gloss > 0.0 ? gloss * glare * reach * pow(max(dot(reflect(-eye, n), lamp), 0.0), 30.0) : 0.0;
  return colour * bright + shine;
}
`;

/** Depth of a point in view space. */
export const depth = /* glsl */ `
float depthOf(vec3 p) {
  vec4 clip = projectionMatrix * vec4(p, 1.0);
  return 0.5 * clip.z / clip.w + 0.5;
}
`;

/** Colours of grains: `hue` goes from 0 to 1 along a map, or is a number in a list. */
export const grainColour = /* glsl */ `
uniform sampler2D table;
uniform float listed;
uniform bool marks;
uniform int look;
uniform vec3 paper;
const int GLASS = 1;
vec3 colourOf(float hue) {
  float at = listed > 0.0 ? (floor(hue + 0.5) + 0.5) / 256.0 : (hue * 255.0 + 0.5) / 256.0;
  return texture(table, vec2(at, 0.5)).rgb;
}
// Grains of one material are told apart by small differences, as they are in a heap.
vec3 colourOf(float hue, uint id) {
  if (listed <= 0.0) return colourOf(hue);
  uint mixed = id * 2654435769u; // Knuth's multiplicative hash
  return colourOf(hue) * (0.9 + 0.2 * float(mixed >> 16) / 65535.0);
}
`;

/**
 * Vertex shader of grains in 2D, whose squares rotate with them.
 * @param {string} more declarations and statements of a particular kind of grain
 * @param {string} statements
 */
export const flatVertex = (more, statements) => /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float radius, value;
in vec4 turn;
uniform float shrink, unit;
out vec2 seen, own; // from the centre: as it is seen, and in the body's own frame
flat out float size, hue;
flat out uint id;
${more}
void main() {
  size = shrink * radius;
  own = (size + 2.0 * unit) * corner;
  float angle = 2.0 * atan(turn.z, turn.w);
  seen = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * own;
  hue = value;
  ${statements}
  vec4 centre = modelViewMatrix * vec4(place + shift, 1.0);
  gl_Position = value < 0.0 || size <= 0.0 ? NOWHERE : projectionMatrix * (centre + vec4(seen, 0.0, 0.0));
}`;

/**
 * Their fragment shader, given the distance in pixels from a point inside to the outline.
 * @param {string} margin declares `float marginAt()`
 */
export const flatFragment = (margin) => /* glsl */ `${common}${encodeId}${grainColour}
in vec2 seen, own;
flat in float size, hue;
flat in uint id;
uniform float unit;
out vec4 result;
${margin}
void main() {
  float margin = marginAt();
  #ifdef PICK
  if (margin < 0.0) discard;
  result = encodeId(id, 1u);
  #else
  float cover = clamp(0.5 + margin, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 base = colourOf(hue);
  float pixels = size / unit, line = clamp(0.06 * pixels, 0.0, 1.6);
  float ink = line > 0.2 ? 1.0 - clamp(margin - line + 0.5, 0.0, 1.0) : 0.0;
  vec3 fill = look == GLASS ? mix(paper, base, 0.38) : base * (1.0 + 0.07 * (seen.y - seen.x) / size);
  vec3 outline = look == GLASS ? mix(paper, base, 0.75) : base * 0.55;
  if (marks && pixels > 5.0 && own.x > 0.0) { // a radius that turns with the body
    fill = mix(fill, outline, 1.0 - clamp(abs(own.y) / unit - clamp(0.05 * pixels, 0.4, 1.4) + 0.5, 0.0, 1.0));
  }
  result = vec4(mix(fill, outline, ink), cover);
  #endif
}`;
