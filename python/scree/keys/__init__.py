"""The keys of scenes, as types for editors and type checkers. What a scene file has as a mapping is a dictionary here,
either written as one or made by its class: {"uniform": (1, 2)} is scree.keys.Radius(uniform=(1, 2)).

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from .world import (Cell, Condition, Measures, Neighbours, NumberProgramme, Output, Overlap, Periodic, Rate, Region,
                    Soft, Solver, Start, Stress, Time, Variational)
from .materials import (Growth, Materials, Pairs)
from .walls import (Block, Box, Cylinder, Disc, Drum, Holder, Holes, Orientation, Piston, Plane, Programme, Segment,
                    SpinProgramme, WallCone, WallMesh, WallPlate, Walls)
from .sizes import (Lognormal, Normal, Power, Radius, Two)
from .solids import (BoxBody, Cone, CylinderBody, Ellipsoid, Mesh, Plate, Polyhedron, Prism, Rock, Sphere,
                     Superellipsoid, Surface, Torus)
from .shapes import (Compound, Disk, Ellipse, Library, Nurbs, Polygon, RandomPolygon, Rectangle, Regular, Rod, Shapes)
from .grains import (Angle, Bonds, Fill, Grains, Inlets, InletsRate, InletsRegion, Inside, Lattice, Outlets,
                     OutletsPlane)
from .events import (Events, Hold, HoldRegion, SetForce, SetFriction, SetGrowth, SetPiston, SetVelocity)
from .scene import (SceneKeys)

__all__ = ["Angle", "Block", "Bonds", "Box", "BoxBody", "Cell", "Compound", "Condition", "Cone", "Cylinder",
           "CylinderBody", "Disc", "Disk", "Drum", "Ellipse", "Ellipsoid", "Events", "Fill", "Grains", "Growth", "Hold",
           "HoldRegion", "Holder", "Holes", "Inlets", "InletsRate", "InletsRegion", "Inside", "Lattice", "Library",
           "Lognormal", "Materials", "Measures", "Mesh", "Neighbours", "Normal", "NumberProgramme", "Nurbs",
           "Orientation", "Outlets", "OutletsPlane", "Output", "Overlap", "Pairs", "Periodic", "Piston", "Plane",
           "Plate", "Polygon", "Polyhedron", "Power", "Prism", "Programme", "Radius", "RandomPolygon", "Rate",
           "Rectangle", "Region", "Regular", "Rock", "Rod", "SceneKeys", "Segment", "SetForce", "SetFriction",
           "SetGrowth", "SetPiston", "SetVelocity", "Shapes", "Soft", "Solver", "Sphere", "SpinProgramme", "Start",
           "Stress", "Superellipsoid", "Surface", "Time", "Torus", "Two", "Variational", "WallCone", "WallMesh",
           "WallPlate", "Walls"]
