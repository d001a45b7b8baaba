#!/usr/bin/env python3
"""Makes odd run files out of an ordinary one: with one frame, without any, without grains.

Usage: odd_runs.py RUN.h5 OUT.h5 one-frame|no-frame|no-grain
"""
import sys

import h5py


def kept(name, data, kind):
    """What is left of a dataset."""
    if kind == "no-grain":
        if name.startswith("bodies/") or name.startswith("frames/contacts/"):
            return data[:0]
        if name == "frames/index":
            data = data.copy()
            data[:, 0] = 0
        return data[:, :0] if name.startswith("frames/bodies/") else data
    frames = {"one-frame": 1, "no-frame": 0}[kind]
    if name.startswith("frames/contacts/") or name.startswith("steps/"):
        return data[:0]
    if name.startswith("frames/"):
        data = data[:frames]
    if name == "frames/index":
        data = data.copy()
        data[:, :2] = 0
    return data


def make(source, target, kind):
    with h5py.File(source, "r") as old, h5py.File(target, "w", libver=("v110", "v110")) as new:
        for name, value in old.attrs.items():
            new.attrs.create(name, value, dtype=old.attrs.get_id(name).dtype)

        def copy(name, item):
            if isinstance(item, h5py.Group):
                new.require_group(name)
            elif item.shape == () or (item.chunks is None and kept(name, item[()], kind).shape == item.shape):
                old.copy(item, new, name)
            else:
                data = kept(name, item[()], kind)
                made = new.create_dataset(name, data.shape, item.dtype, maxshape=(None,) * data.ndim,
                                          chunks=tuple(max(1, n) for n in data.shape))
                if data.size > 0:
                    made[...] = data
        old.visititems(copy)


if __name__ == "__main__":
    make(*sys.argv[1:4])
