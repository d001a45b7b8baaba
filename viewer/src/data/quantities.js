// Quantities that grains can be coloured and filtered by.

/**
 * All quantities of a run, by key.
 * @param {Run} run
 */
export function quantities(run) {
  /** @type {Record<string, Quantity>} */
  const list = {
    speed: {
      label: "Speed",
      dimension: "length/time",
      of: ({ bodies }) => bodies.velocity.lengths(),
    },
    spin: {
      label: "Spin",
      dimension: "1/time",
      signed: run.flat,
      of: ({ bodies }) => (run.flat ? bodies.spin.component(0) : bodies.spin.lengths()),
    },
    radius: {
      label: "Radius",
      dimension: "length",
      constant: !run.manifest.growing,
      of: ({ bodies }) => run.radii(bodies),
    },
    material: {
      label: "Material",
      dimension: "1",
      list: true,
      names: run.manifest.materials,
      tints: run.manifest.colours,
      constant: true,
      of: () => Float32Array.from(run.material),
    },
    ...(run.manifest.plates && { holder: holderOf(run) }),
    ...(run.manifest.bonds && {
      fragment: {
        label: "Fragment",
        note: "lowest number of the grains that bonds hold together",
        dimension: "1",
        whole: true,
        of: ({ bodies }) => Float32Array.from(bodies.fragment.data),
      },
    }),
    coordination: {
      label: "Coordination",
      dimension: "1",
      whole: true,
      of: ({ bodies }) => Float32Array.from(bodies.coordination.data),
    },
    force: {
      label: "Force",
      note: "sum of the normal forces on the grain",
      dimension: "force",
      of: ({ bodies }) => bodies.force.values(),
    },
    displacement: {
      label: "Displacement",
      dimension: "length",
      reference: true,
      of: ({ bodies, reference }) => displacements(run, bodies, reference),
    },
    id: {
      label: "Number",
      dimension: "1",
      constant: true,
      whole: true,
      of: () => Float32Array.from({ length: run.count }, (_, i) => i),
    },
  };
  run.axes.forEach((axis, c) => {
    list[`v${axis}`] = {
      label: `Velocity ${axis}`,
      dimension: "length/time",
      signed: true,
      of: ({ bodies }) => bodies.velocity.component(c),
    };
  });
  run.axes.forEach((axis, c) => {
    list[axis] = {
      label: `Position ${axis}`,
      dimension: "length",
      of: ({ bodies }) => bodies.position.component(c).map((x) => x + run.manifest.origin[c]),
    };
  });
  return list;
}

/**
 * The walls that hold grains.
 * @param {Run} run
 * @returns {Quantity}
 */
function holderOf(run) {
  return {
    label: "Held by",
    dimension: "1",
    list: true,
    names: ["no wall", ...run.manifest.walls],
    of: ({ bodies }) => bodies.holder.values().map((wall) => wall + 1),
  };
}

/**
 * Distances from the positions in the reference frame, by the shorter way in periodic directions.
 * @param {Run} run
 * @param {Block} bodies
 * @param {Block | null} reference
 */
function displacements(run, bodies, reference) {
  const sizes = new Float32Array(run.count);
  if (!reference) return sizes;
  const now = bodies.position.values(3);
  const then = reference.position.values(3);
  const lattice = run.lattice(bodies);
  for (let i = 0; i < run.count; i++) {
    const way = [0, 1, 2].map((k) => now[3 * i + k] - then[3 * i + k]);
    if (run.isPeriodic) lattice.nearest(way, [0, 0, 0]);
    sizes[i] = Math.hypot(...way);
  }
  return sizes;
}

const MOST_SAMPLES = 200000;

/**
 * The range of all values but the lowest and the highest hundredth, so that a few outliers do not
 * wash out the colours.
 * @param {Float32Array[]} lists
 * @param {Quantity} quantity
 * @returns {[number, number]}
 */
export function rangeOf(lists, quantity, share = 0.01) {
  const all = [];
  for (const list of lists) {
    const stride = Math.max(1, Math.floor((list.length * lists.length) / MOST_SAMPLES));
    for (let i = 0; i < list.length; i += stride) if (!Number.isNaN(list[i])) all.push(list[i]);
  }
  if (all.length === 0) return [0, 1];
  const sorted = Float32Array.from(all).sort();
  const cut = quantity.whole || quantity.constant ? 0 : share;
  let low = sorted[Math.floor(cut * (sorted.length - 1))];
  let high = sorted[Math.ceil((1 - cut) * (sorted.length - 1))];
  if (quantity.signed) {
    const most = Math.max(Math.abs(low), Math.abs(high));
    [low, high] = [-most, most];
  } else if (low > 0 && low < 0.25 * high) {
    low = 0;
  }
  if (high > low) return [low, high];
  return [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
}

/**
 * The lowest values that occur of a discrete quantity, with their names.
 * @param {Quantity} quantity
 * @param {Float32Array | null} values
 * @param {number} most
 */
export function listedValues(quantity, values, most) {
  const used = [...new Set(values ?? [])].sort((a, b) => a - b).slice(0, most);
  return used.map((value) => ({ value, name: quantity.names?.[value] ?? String(value) }));
}
