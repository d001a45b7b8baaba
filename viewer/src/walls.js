// Walls: planes cut to the surroundings, segments, blocks and cylinders; translucent, with their edges.
import * as THREE from "three";
import { common, encodeId } from "./glsl.js";

const PLANE = 0,
  SEGMENT = 1,
  BLOCK = 2,
  CYLINDER = 3;
const SIDES = 96;

const vertex = /* glsl */ `${common}
in vec3 position;
in float number, chosen;
flat out uint id;
flat out float bright;
void main() {
  id = uint(number); bright = chosen;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position + shift, 1.0);
}`;

const fragment = /* glsl */ `${common}${encodeId}
flat in uint id;
flat in float bright;
uniform vec3 ink, accent;
uniform float opacity;
out vec4 result;
void main() {
  #ifdef PICK
  result = encodeId(id, 3u);
  #else
  result = vec4(bright > 0.5 ? accent : ink, opacity * (bright > 0.5 ? 1.8 : 1.0));
  #endif
}`;

const vec = (list, i, width = 3) =>
  new THREE.Vector3(list[width * i], list[width * i + 1], list[width * i + 2]);

/** Two unit vectors across a unit vector. */
function across(n) {
  const [x, y, z] = [Math.abs(n.x), Math.abs(n.y), Math.abs(n.z)];
  const axis =
    x <= y && x <= z
      ? new THREE.Vector3(1, 0, 0)
      : y <= z
        ? new THREE.Vector3(0, 1, 0)
        : new THREE.Vector3(0, 0, 1);
  const u = new THREE.Vector3().crossVectors(n, axis).normalize();
  return [u, new THREE.Vector3().crossVectors(n, u)];
}

/** The part of a polygon on the side n.x >= d. */
function clip(polygon, n, d) {
  const kept = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length],
      a = n.dot(p) - d,
      b = n.dot(q) - d;
    if (a >= 0) kept.push(p);
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) kept.push(p.clone().lerp(q, a / (a - b)));
  });
  return kept;
}

/** The part of a line [p, q] on that side; null when there is none. */
function clipLine([p, q], n, d) {
  const a = n.dot(p) - d,
    b = n.dot(q) - d;
  if (a < 0 && b < 0) return null;
  const cut = () => p.clone().lerp(q, a / (a - b));
  return [a < 0 ? cut() : p, b < 0 ? cut() : q];
}

/** Triangles and lines in the making. */
class Mesh {
  constructor() {
    this.faces = [];
    this.lines = [];
    this.faceOf = [];
    this.lineOf = [];
  }

  polygon(points, wall) {
    for (let i = 2; i < points.length; i++) {
      for (const p of [points[0], points[i - 1], points[i]]) {
        this.faces.push(p.x, p.y, p.z);
        this.faceOf.push(wall);
      }
    }
  }

  line(p, q, wall) {
    this.lines.push(p.x, p.y, p.z, q.x, q.y, q.z);
    this.lineOf.push(wall, wall);
  }

  loop(points, wall) {
    points.forEach((p, i) => this.line(p, points[(i + 1) % points.length], wall));
  }
}

export class Walls {
  constructor(stage, constants, names) {
    this.stage = stage;
    this.constants = constants;
    this.names = names;
    this.chosen = -1;
    const make = (opacity, order, Type) => {
      const material = stage.material({
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms: {
          ink: { value: new THREE.Color() },
          accent: { value: new THREE.Color() },
          opacity: { value: opacity },
        },
      });
      material.transparent = true;
      material.depthWrite = false;
      return stage.addOne(
        new Type(new THREE.BufferGeometry(), material),
        order,
        Type === THREE.Mesh ? stage.pickMaterial(material) : null,
      );
    };
    this.fill = make(stage.flat ? 1 : 0.07, stage.flat ? 0 : 10, THREE.Mesh);
    this.edges = make(stage.flat ? 1 : 0.5, stage.flat ? 0.5 : 11, THREE.LineSegments);
  }

  setLook({ shown, ink, band, accent }) {
    this.fill.shown = shown;
    this.edges.shown = shown && !this.stage.flat;
    this.fill.material.uniforms.ink.value.set(this.stage.flat ? band : ink);
    this.edges.material.uniforms.ink.value.set(ink);
    for (const group of [this.fill, this.edges]) group.material.uniforms.accent.value.set(accent);
  }

  /** Walls of a frame, cut to the region (THREE.Box3). */
  set(bodies, region) {
    const count = this.constants.length;
    const column = (name) => bodies[`w.${name}`].values();
    const walls = {
      present: bodies["w.present"].data,
      point: column("point"),
      normal: column("normal"),
      end: column("end"),
      axis: column("axis"),
      orientation: column("orientation"),
    };
    const key = [
      this.chosen,
      region.min.toArray(),
      region.max.toArray(),
      [...walls.present],
      ...["point", "normal", "end", "axis", "orientation"].map((name) => [...walls[name]]),
    ].join();
    if (key === this.key) return;
    this.key = key;
    const mesh = new Mesh();
    for (let i = 0; i < count; i++) {
      if (!walls.present[i]) continue;
      if (this.stage.flat) this.addFlat(mesh, walls, i, region);
      else this.addDeep(mesh, walls, i, region);
    }
    this.upload(this.fill.geometry, mesh.faces, mesh.faceOf);
    this.upload(this.edges.geometry, mesh.lines, mesh.lineOf);
  }

  upload(geometry, points, owners) {
    geometry.dispose();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    geometry.setAttribute("number", new THREE.Float32BufferAttribute(owners, 1));
    geometry.setAttribute(
      "chosen",
      new THREE.Float32BufferAttribute(
        owners.map((wall) => (wall === this.chosen ? 1 : 0)),
        1,
      ),
    );
  }

  // ---------------------------------------------------------------- in space

  /** A plane as a polygon: cut by the region, and by the other planes of the same box. */
  planePolygon(walls, i, region) {
    const n = vec(walls.normal, i).normalize(),
      point = vec(walls.point, i);
    const centre = region.getCenter(new THREE.Vector3()),
      size = region.getSize(new THREE.Vector3()).length() + 1e-12;
    const middle = centre.clone().addScaledVector(n, n.dot(point) - n.dot(centre));
    const [u, v] = across(n);
    let polygon = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([a, b]) =>
      middle
        .clone()
        .addScaledVector(u, a * 2 * size)
        .addScaledVector(v, b * 2 * size),
    );
    const slack = 1e-6 * size;
    for (const axis of ["x", "y", "z"]) {
      const e = new THREE.Vector3();
      e[axis] = 1;
      // a plane just outside of the region is drawn where it is, and cut across only
      if (Math.abs(n.dot(e)) > 0.999) continue;
      polygon = clip(polygon, e, region.min[axis] - slack);
      polygon = clip(polygon, e.clone().negate(), -region.max[axis] - slack);
    }
    const group = this.names[i]?.split(".")[0];
    this.constants.forEach((other, k) => {
      if (
        k === i ||
        other.shape !== PLANE ||
        !walls.present[k] ||
        this.names[k]?.split(".")[0] !== group
      )
        return;
      const m = vec(walls.normal, k).normalize();
      polygon = clip(polygon, m, m.dot(vec(walls.point, k)) - slack);
    });
    return polygon;
  }

  addDeep(mesh, walls, i, region) {
    const { shape } = this.constants[i];
    if (shape === PLANE) {
      const polygon = this.planePolygon(walls, i, region);
      mesh.polygon(polygon, i);
      mesh.loop(polygon, i);
    } else if (shape === SEGMENT) {
      mesh.line(vec(walls.point, i), vec(walls.end, i), i);
    } else if (shape === BLOCK) {
      this.addBlock(mesh, walls, i);
    } else if (shape === CYLINDER) {
      this.addCylinder(mesh, walls, i, region);
    }
  }

  blockCorners(walls, i) {
    const [w, x, y, z] = walls.orientation.slice(4 * i, 4 * i + 4),
      q = new THREE.Quaternion(x, y, z, w);
    const half = this.constants[i].half,
      centre = vec(walls.point, i);
    return Array.from({ length: 8 }, (_, k) =>
      new THREE.Vector3(
        k & 1 ? half[0] : -half[0],
        k & 2 ? half[1] : -half[1],
        k & 4 ? half[2] : -half[2],
      )
        .applyQuaternion(q)
        .add(centre),
    );
  }

  addBlock(mesh, walls, i) {
    const c = this.blockCorners(walls, i);
    for (const face of [
      [0, 1, 3, 2],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 3, 7, 6],
      [0, 2, 6, 4],
      [1, 3, 7, 5],
    ]) {
      mesh.polygon(
        face.map((k) => c[k]),
        i,
      );
    }
    for (const [a, b] of [
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
      [0, 2],
      [1, 3],
      [4, 6],
      [5, 7],
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ])
      mesh.line(c[a], c[b], i);
  }

  circle(centre, u, v, radius) {
    return Array.from({ length: SIDES }, (_, k) => {
      const angle = (2 * Math.PI * k) / SIDES;
      return centre
        .clone()
        .addScaledVector(u, radius * Math.cos(angle))
        .addScaledVector(v, radius * Math.sin(angle));
    });
  }

  addCylinder(mesh, walls, i, region) {
    const { radius, inside } = this.constants[i];
    const axis = vec(walls.axis, i).normalize(),
      [u, v] = across(axis);
    let { length } = this.constants[i],
      centre = vec(walls.point, i);
    if (!(length > 0)) {
      // endless: as far as the region reaches along it
      const size = region.getSize(new THREE.Vector3()),
        middle = region.getCenter(new THREE.Vector3());
      length = Math.abs(size.x * axis.x) + Math.abs(size.y * axis.y) + Math.abs(size.z * axis.z);
      centre = centre.clone().addScaledVector(axis, axis.dot(middle.sub(centre)));
    }
    const low = this.circle(centre.clone().addScaledVector(axis, -length / 2), u, v, radius);
    const high = this.circle(centre.clone().addScaledVector(axis, length / 2), u, v, radius);
    for (let k = 0; k < SIDES; k++) {
      const next = (k + 1) % SIDES;
      mesh.polygon([low[k], low[next], high[next], high[k]], i);
      if (k % (SIDES / 8) === 0) mesh.line(low[k], high[k], i);
    }
    mesh.loop(low, i);
    mesh.loop(high, i);
    if (!inside && this.constants[i].length > 0) {
      mesh.polygon(low, i);
      mesh.polygon(high, i);
    }
  }

  // ---------------------------------------------------------------- in the plane

  /** A strip along a line, to its right. */
  strip(mesh, a, b, thick, wall) {
    const along = b.clone().sub(a).normalize(),
      right = new THREE.Vector3(along.y, -along.x, 0).multiplyScalar(thick);
    mesh.polygon([a, b, b.clone().add(right), a.clone().add(right)], wall);
  }

  addFlat(mesh, walls, i, region) {
    const { shape, radius, inside } = this.constants[i];
    const size = region.getSize(new THREE.Vector3()),
      thick = 0.012 * Math.max(size.x, size.y, 1e-12);
    const point = vec(walls.point, i);
    if (shape === PLANE) {
      const polygon = this.planeLine(walls, i, region, 2.5 * thick);
      if (polygon) this.strip(mesh, ...polygon, 2.5 * thick, i);
    } else if (shape === SEGMENT) {
      const end = vec(walls.end, i),
        along = end.clone().sub(point).normalize();
      const side = new THREE.Vector3(along.y, -along.x, 0).multiplyScalar(0.2 * thick);
      this.strip(mesh, point.clone().sub(side), end.clone().sub(side), 0.4 * thick, i);
    } else if (shape === BLOCK) {
      const c = this.blockCorners(walls, i);
      mesh.polygon(
        [0, 1, 3, 2].map((k) => c[k].setZ(0)),
        i,
      );
    } else if (shape === CYLINDER) {
      const x = new THREE.Vector3(1, 0, 0),
        y = new THREE.Vector3(0, 1, 0);
      const ring = this.circle(point, x, y, radius);
      if (!inside) return mesh.polygon(ring, i);
      const outer = this.circle(point, x, y, radius + thick);
      ring.forEach((p, k) =>
        mesh.polygon([p, ring[(k + 1) % SIDES], outer[(k + 1) % SIDES], outer[k]], i),
      );
    }
  }

  /** The visible piece of a plane's line, so that its body is to the right. */
  planeLine(walls, i, region, thick) {
    const n = vec(walls.normal, i).setZ(0).normalize(),
      point = vec(walls.point, i);
    const along = new THREE.Vector3(n.y, -n.x, 0),
      centre = region.getCenter(new THREE.Vector3()).setZ(0);
    const reach = region.getSize(new THREE.Vector3()).setZ(0).length();
    const middle = centre.clone().addScaledVector(n, n.dot(point) - n.dot(centre));
    let line = [
      middle.clone().addScaledVector(along, -reach),
      middle.clone().addScaledVector(along, reach),
    ];
    const cut = (m, d) => {
      line = line && clipLine(line, m, d);
    };
    for (const axis of ["x", "y"]) {
      const e = new THREE.Vector3();
      e[axis] = 1;
      if (Math.abs(n.dot(e)) > 0.999) continue;
      cut(e, region.min[axis] - thick);
      cut(e.clone().negate(), -region.max[axis] - thick);
    }
    const group = this.names[i]?.split(".")[0];
    this.constants.forEach((other, k) => {
      if (
        k === i ||
        other.shape !== PLANE ||
        !walls.present[k] ||
        this.names[k]?.split(".")[0] !== group
      )
        return;
      const m = vec(walls.normal, k).setZ(0).normalize();
      cut(m, m.dot(vec(walls.point, k)) - thick);
    });
    if (!line) return null;
    const [a, b] = line,
      forward = b.clone().sub(a);
    // the grains' side (n) must be to the left of a to b
    return forward.x * n.y - forward.y * n.x > 0 ? [a, b] : [b, a];
  }
}
