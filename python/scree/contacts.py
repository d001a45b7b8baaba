"""Contacts as one table, the same for worlds and for frames of run files."""
from __future__ import annotations

import ctypes
from enum import IntEnum

import numpy as np

from . import _arrays, _library, _memory
from ._values import Table
from .errors import error_of

CONTACTS = np.dtype([
    ("a", "i4"),  # body
    ("b", "i4"),  # body, or wall w as -1 - w
    ("feature", "i4"),  # which of several points of the pair
    ("state", "i4"),  # ContactState
    ("point", "f8", 3),  # [length] midway between the surfaces
    ("normal", "f8", 3),  # unit, from a to b
    ("gap", "f8"),  # [length] at the start of the step; negative is overlap
    ("force_normal", "f8"),  # [force] mean over the step; pushes apart; negative: a cohesive contact pulls
    ("force_tangential", "f8", 3),  # [force] mean over the step, on b
    ("torque", "f8", 3),  # [force length] of rolling and torsion friction, mean, on b
    ("opening", "f8"),  # [length] of a cohesive bond, or the gap of a liquid bridge; negative: there is neither
])


class ContactState(IntEnum):
    """What a contact does."""

    OPEN = 0
    STICK = 1
    SLIP = 2


def empty(count: int) -> Table:
    """A table of so many contacts, without torques and bonds."""
    table = np.zeros(count, CONTACTS).view(np.recarray)
    table.opening = -1
    return table


def view_of(pointer: int) -> _library.ContactView:
    """The library's own list, which a soft world may have no memory for."""
    view = _library.library().scree_world_get_contacts(pointer)
    if view.status != 0:
        raise error_of(view.status, _library.library().scree_status_get_text(view.status).decode())
    return view


def of_world(pointer: int) -> Table:
    """The contacts and candidates of the last step of a world of the library."""
    library = _library.library()
    view = view_of(pointer)
    raw = _memory.copied(view.contact, view.count, _arrays.CONTACT)
    table = empty(view.count)
    for name in ("a", "b", "feature", "state", "normal", "gap"):
        table[name] = raw[name]
    if view.count == 0:
        return table
    table.force_normal = raw["normal_impulse"] / view.time_step
    table.force_tangential = raw["tangential_impulse"] / view.time_step
    if view.extra:
        extra = _memory.copied(view.extra, view.count, _arrays.CONTACT_EXTRA)
        table.torque = extra["torque_impulse"] / view.time_step
        table.opening = extra["opening"]
    size, point_of = _arrays.CONTACT.itemsize, library.scree_contact_get_point
    points = (_library.Vec3 * view.count)(*(point_of(pointer, view.contact + i * size) for i in range(view.count)))
    table.point = np.frombuffer(ctypes.string_at(points, ctypes.sizeof(points))).reshape(-1, 3)
    return table
