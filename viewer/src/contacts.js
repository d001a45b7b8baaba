// Forces as bars from the centres of the grains to the contact points, and the points themselves.
import * as THREE from "three";
import { common, encodeId, light } from "./glsl.js";

const fragmentColour = /* glsl */ `
uniform sampler2D table;
uniform vec3 stick, slip;
uniform bool byState;
vec3 colourOf(float hue) {
  return byState ? (hue > 1.5 ? slip : stick) : texture(table, vec2((hue * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
`;

// A bar is a square along its line, turned to the eye, and shaded as if it were round.
const barVertex = /* glsl */ `${common}
in vec2 corner;
in vec3 from, to;
in float width, hue, number;
uniform float unit, thick;
out float across;
flat out float tone;
flat out uint id;
flat out vec3 side;
void main() {
  vec3 a = (modelViewMatrix * vec4(from + shift, 1.0)).xyz, b = (modelViewMatrix * vec4(to + shift, 1.0)).xyz;
  vec3 here = corner.x < 0.0 ? a : b;
  vec3 eye = ortho ? vec3(0.0, 0.0, 1.0) : -normalize(here);
  vec3 dir = b - a;
  side = cross(dir, eye);
  side = dot(side, side) > 0.0 ? normalize(side) : vec3(0.0);
  float pixel = ortho ? unit : -here.z * unit;
  float half_ = max(thick * width, 0.55 * pixel);
  across = corner.y; tone = hue; id = uint(number);
  vec3 at = here + side * corner.y * half_ + (ortho ? vec3(0.0) : eye * 0.0);
  gl_Position = width <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(at, 1.0);
}`;

const barFragment = /* glsl */ `${common}${light}${encodeId}
in float across;
flat in float tone;
flat in uint id;
flat in vec3 side;
uniform bool round_;
out vec4 result;
${fragmentColour}
void main() {
  #ifdef PICK
  result = encodeId(id, 2u);
  #else
  vec3 base = colourOf(tone);
  vec3 n = normalize(side * across + vec3(0.0, 0.0, 1.0) * sqrt(max(1.0 - across * across, 0.0)));
  result = vec4(round_ ? lit(base, n) : base, 1.0);
  #endif
}`;

const pointVertex = /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float hue, number, shown;
uniform float unit, dot_;
out vec2 seen;
flat out float tone;
flat out uint id;
void main() {
  vec3 c = (modelViewMatrix * vec4(place + shift, 1.0)).xyz;
  float pixel = ortho ? unit : -c.z * unit;
  float size = max(dot_, 1.5 * pixel);
  seen = corner; tone = hue; id = uint(number);
  gl_Position = shown <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(c + vec3(size * corner, 0.0), 1.0);
}`;

const pointFragment = /* glsl */ `${common}${light}${encodeId}
in vec2 seen;
flat in float tone;
flat in uint id;
out vec4 result;
${fragmentColour}
void main() {
  float off = dot(seen, seen);
  if (off > 1.0) discard;
  #ifdef PICK
  result = encodeId(id, 2u);
  #else
  result = vec4(lit(colourOf(tone), vec3(seen, sqrt(1.0 - off))), 1.0);
  #endif
}`;

const square = () => new THREE.BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2);

/** An instanced square with growing columns. */
class Squares {
  constructor(columns) {
    this.columns = columns;
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute("corner", square());
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.instanceCount = 0;
    this.room(64);
  }

  room(count) {
    if (this.capacity >= count) return;
    this.capacity = Math.ceil(count * 1.3);
    this.geometry.dispose(); // buffers of another length
    for (const [name, width] of Object.entries(this.columns)) {
      const made = new THREE.InstancedBufferAttribute(
        new Float32Array(this.capacity * width),
        width,
      );
      this.geometry.setAttribute(name, made.setUsage(THREE.DynamicDrawUsage));
      this[name] = made.array;
    }
  }

  done(count) {
    this.geometry.instanceCount = count;
    for (const name of Object.keys(this.columns))
      this.geometry.getAttribute(name).needsUpdate = true;
  }
}

export class Contacts {
  constructor(stage, meanRadius) {
    this.stage = stage;
    this.bars = new Squares({ from: 3, to: 3, width: 1, hue: 1, number: 1 });
    this.points = new Squares({ place: 3, hue: 1, number: 1, shown: 1 });
    this.meanRadius = meanRadius;
    this.uniforms = {
      table: { value: stage.forceTable },
      stick: { value: new THREE.Color() },
      slip: { value: new THREE.Color() },
      byState: { value: true },
      thick: { value: 0.4 * meanRadius },
      dot_: { value: 0.14 * meanRadius },
      round_: { value: !stage.flat },
    };
    const make = (squares, vertexShader, fragmentShader, order) => {
      const material = stage.material({ vertexShader, fragmentShader, uniforms: this.uniforms });
      if (stage.flat) {
        // over the grains, which are drawn as transparent ones
        material.depthTest = false;
        material.transparent = true;
      }
      return stage.addCopies(squares.geometry, material, stage.pickMaterial(material), order);
    };
    this.barMeshes = make(this.bars, barVertex, barFragment, 2);
    this.pointMeshes = make(this.points, pointVertex, pointFragment, 3);
  }

  /** What is drawn: {bars, points, byState, thickness}. */
  setLook({ bars, points, byState, thickness, stick, slip }) {
    this.barMeshes.shown = bars;
    this.pointMeshes.shown = points;
    this.uniforms.byState.value = byState;
    this.uniforms.thick.value = 0.4 * thickness * this.meanRadius;
    this.uniforms.stick.value.set(stick);
    this.uniforms.slip.value.set(slip);
  }

  clear() {
    this.bars.done(0);
    this.points.done(0);
  }

  /**
   * Contacts of a frame. `visible(row)` tells which; `strong` is the force of the widest bar; colours are by state or by
   * force. Each side has its own bar from the body's centre, in the periodic image that is nearest, to the point.
   */
  set(contacts, places, nearest, visible, strong, byState) {
    const rows = contacts.a.rows,
      points = contacts.point.values(3);
    this.bars.room(2 * rows);
    this.points.room(rows);
    let bars = 0,
      dots = 0;
    const p = [0, 0, 0],
      c = [0, 0, 0];
    for (let i = 0; i < rows; i++) {
      if (!visible(i)) continue;
      const force = Math.abs(contacts.force_normal.at(i)),
        state = contacts.state.data[i];
      const share = Math.min(1, force / strong);
      const hue = byState ? state : share;
      for (let k = 0; k < 3; k++) p[k] = points[3 * i + k];
      for (let k = 0; k < 3; k++) this.points.place[3 * dots + k] = p[k];
      this.points.hue[dots] = hue;
      this.points.number[dots] = i;
      this.points.shown[dots++] = 1;
      if (!(force > 0)) continue;
      for (const body of [contacts.a.data[i], contacts.b.data[i]]) {
        if (body < 0) continue;
        for (let k = 0; k < 3; k++) c[k] = places[3 * body + k];
        nearest(c, p);
        this.bars.from.set(c, 3 * bars);
        this.bars.to.set(p, 3 * bars);
        this.bars.width[bars] = Math.max(0.02, share);
        this.bars.hue[bars] = hue;
        this.bars.number[bars++] = i;
      }
    }
    this.bars.done(bars);
    this.points.done(dots);
  }
}
