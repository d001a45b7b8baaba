// What grains can be coloured and filtered by: a name, a dimension, and a function of a frame that gives a number for
// every grain.

const component = (column, c) => {
  const sizes = new Float32Array(column.rows);
  for (let i = 0; i < column.rows; i++) sizes[i] = column.at(column.width * i + c);
  return sizes;
};

/** All quantities of a run, by key. `list`: a colour for each value instead of a map. */
export function quantities(run) {
  const { manifest } = run,
    axes = run.flat ? ["x", "y"] : ["x", "y", "z"];
  const list = {
    speed: {
      label: "Speed",
      dimension: "length/time",
      of: ({ bodies }) => bodies.velocity.lengths(),
    },
    spin: run.flat
      ? {
          label: "Spin",
          dimension: "1/time",
          signed: true,
          of: ({ bodies }) => component(bodies.spin, 0),
        }
      : { label: "Spin", dimension: "1/time", of: ({ bodies }) => bodies.spin.lengths() },
    radius: { label: "Radius", dimension: "length", constant: true, of: () => run.radius },
    material: {
      label: "Material",
      dimension: "1",
      list: true,
      constant: true,
      of: () => Float32Array.from(run.material),
      names: manifest.materials,
    },
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
      of: displacement(run),
    },
    id: {
      label: "Number",
      dimension: "1",
      constant: true,
      whole: true,
      of: () => Float32Array.from({ length: run.count }, (_, i) => i),
    },
  };
  axes.forEach((axis, c) => {
    list[`v${axis}`] = {
      label: `Velocity ${axis}`,
      dimension: "length/time",
      signed: true,
      of: ({ bodies }) => component(bodies.velocity, c),
    };
  });
  axes.forEach((axis, c) => {
    list[axis] = {
      label: `Position ${axis}`,
      dimension: "length",
      of: ({ bodies }) => component(bodies.position, c).map((x) => x + manifest.origin[c]),
    };
  });
  return list;
}

/** Distance from where the grain was in the reference frame; the shorter way round where space is periodic. */
function displacement(run) {
  return ({ bodies, reference }) => {
    const sizes = new Float32Array(run.count);
    if (!reference) return sizes;
    const now = bodies.position.values(3),
      then = reference.position.values(3);
    for (let i = 0; i < run.count; i++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        let d = now[3 * i + k] - then[3 * i + k];
        const period = run.periods[k];
        if (period > 0) d -= period * Math.round(d / period);
        sum += d * d;
      }
      sizes[i] = Math.sqrt(sum);
    }
    return sizes;
  };
}

/** From the k-th to the (1-k)-th part of sorted values, a little generous. */
export function rangeOf(lists, quantity, share = 0.01) {
  const all = [];
  for (const list of lists) {
    const stride = Math.max(1, Math.floor((list.length * lists.length) / 200000));
    for (let i = 0; i < list.length; i += stride) all.push(list[i]);
  }
  if (all.length === 0) return [0, 1];
  const sorted = Float32Array.from(all).sort();
  const cut = quantity.whole || quantity.constant ? 0 : share;
  let low = sorted[Math.floor(cut * (sorted.length - 1))],
    high = sorted[Math.ceil((1 - cut) * (sorted.length - 1))];
  if (quantity.signed) {
    const most = Math.max(Math.abs(low), Math.abs(high));
    [low, high] = [-most, most];
  } else if (low > 0 && low < 0.25 * high) {
    low = 0;
  }
  if (!(high > low))
    [low, high] = [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  return [low, high];
}
