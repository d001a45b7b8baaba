"""The package agrees with the headers: every struct, list, enum, constant and function. They are read as text, and a
small program made of them tells sizes and offsets."""
import ctypes
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy as np

import scree
from scree import _arrays, _library, _measure_fields, _problem_structs, device, errors, growth, laws, report

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Tables of functions are for programs in C that pass messages or drive a device. Python does neither; it only hands a
# device on.
TEXT = "".join(path.read_text() for path in sorted((ROOT / "include" / "scree").glob("*.h"))
               if path.name not in ("processes.h", "device.h"))
STRUCT = re.compile(r"typedef struct (Scree\w+) \{(.*?)\} \1;", re.S)
DEVICE = re.sub(r"/\*.*?\*/", "", (ROOT / "include" / "scree" / "device.h").read_text(), flags=re.S)
HEADER = re.sub(r"/\*.*?\*/", "", TEXT, flags=re.S) + STRUCT.sub("", DEVICE)
MAP = re.compile(r"#define (SCREE_\w+_MAP)\(X\)((?:.*\\\n)*.*\n)")


def map_entries(name):
    """The entries of an X-macro list: lists of their parts, texts without quotes."""
    body = dict(MAP.findall(HEADER))[name].replace("\\\n", "\n")
    found = []
    for entry in re.findall(r"X\((.*?)\)\s*(?=X\(|$)", body.strip() + "\n", re.S | re.M):
        parts = re.findall(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*|[^,"\s]+', entry)
        found.append(["".join(re.findall(r'"(.*?)"', part)) if part.startswith('"') else part for part in parts])
    return found


def struct_fields():
    """The fields of every struct in the header, in their order."""
    found = {}
    for name, body in STRUCT.findall(HEADER):
        listed = re.findall(r"(SCREE_\w+_MAP)\(X\)", body)
        if listed:  # names come first, or after a type
            typed = ("int32_t", "int64_t", "double")
            found[name] = [entry[1] if entry[0] in typed else entry[0] for each in listed for entry in map_entries(each)]
            continue
        fields = []
        for declaration in body.split(";"):
            words = re.sub(r"\bconst\b", " ", declaration.replace("*", " ")).strip()
            if words:
                _, names = words.removeprefix("struct ").split(None, 1)
                fields += [re.sub(r"\[.*\]", "", each).strip() for each in names.split(",")]
        found[name] = fields
    return found


def enum_names():
    return {name: [word.split("=")[0].strip() for word in body.split(",") if word.strip()]
            for body, name in re.findall(r"typedef enum \w+ \{([^#{}]*)\} (\w+);", HEADER)}


def compile_and_run(text):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
        source.write_text(text)
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        subprocess.run([os.environ.get("CC", "cc"), f"-I{ROOT / 'include'}", str(source), "-o", str(program)],
                       check=True, env=environment)
        output = subprocess.run([str(program)], check=True, capture_output=True, text=True, env=environment).stdout
    return {name: tuple(int(number) for number in rest.split())
            for name, rest in (line.split(" ", 1) for line in output.splitlines())}


class Layout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fields = struct_fields()
        lines = []
        for name, fields in cls.fields.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            lines += [f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
                      for field in fields]
        names = [name for names in enum_names().values() for name in names]
        names += re.findall(r"^    (SCREE_FREEZE_\w+) =", HEADER, re.M)
        names += ["SCREE_MESSAGE_SIZE", "SCREE_FILE_MESSAGE_SIZE"]
        lines += [f'printf("{name} %d\\n", (int){name});' for name in names]
        cls.told = compile_and_run("#include <scree/scree.h>\n#include <stddef.h>\n"
                                   "#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n")

    def test_every_struct_is_known(self):
        self.assertEqual(set(self.fields), set(_library.STRUCTS))
        self.assertGreater(len(self.fields), 15)

    def test_sizes_and_offsets_agree(self):
        for name, struct in _library.STRUCTS.items():
            self.assertEqual([field[0] for field in struct._fields_], self.fields[name], name)
            self.assertEqual((ctypes.sizeof(struct),), self.told[name], name)
            for field in self.fields[name]:
                place = getattr(struct, field)
                self.assertEqual((place.offset, place.size), self.told[f"{name}.{field}"], f"{name}.{field}")

    def test_dtypes_agree_with_structs(self):
        for kind, name in ((_arrays.BODY, "ScreeBodyDef"), (_arrays.CONTACT, "ScreeContact"),
                           (_arrays.CONTACT_EXTRA, "ScreeContactExtra"), (_arrays.SHAPE_PART, "ScreeShapePart"),
                           (scree.CONTACTS, "ScreeContactForce"), (_arrays.CELL, "ScreeCell"),
                           (_arrays.BIN, "ScreeBin"), (_arrays.FORCE_RANGE, "ScreeForceRange"),
                           (_arrays.MOTION_RANGE, "ScreeMotionRange"), (_arrays.MOTION_WHOLE, "ScreeMotions"),
                           (_arrays.WHOLE, "ScreeIndeterminacy"), (_arrays.MEASURES, "ScreeMeasures"),
                           (_arrays.ANISOTROPIES, "ScreeAnisotropy"), (_arrays.PROFILE_NUMBERS, "ScreeProfileNumbers"),
                           (_arrays.PROFILE_BIN, "ScreeProfileBin"),
                           (_problem_structs.ENTRY, "ScreeEntry"), (scree.REPORT, "ScreeReport")):
            self.assertEqual((kind.itemsize,), self.told[name], name)
            self.assertEqual(list(kind.names), self.fields[name])
            for field in kind.names:
                part, offset = kind.fields[field][:2]
                self.assertEqual((offset, part.itemsize), self.told[f"{name}.{field}"], f"{name}.{field}")

    def test_body_arrays_agree(self):
        kinds = {"ScreeVec3": (3, "<f8"), "ScreeQuat": (4, "<f8"), "double": (1, "<f8"), "ScreeMaterialId": (1, "<i4"),
                 "ScreeShapeId": (1, "<i4"), "uint32_t": (1, "<u4"), "int32_t": (1, "<i4")}
        arrays = re.findall(r"const (\w+) \*(\w+);", dict(STRUCT.findall(HEADER))["ScreeBodyView"])
        found = {name: kinds[kind] for kind, name in arrays}
        self.assertEqual(found.pop("identity"), (1, "<i4"))  # may not be there, and is copied
        self.assertEqual(found, _arrays.BODY_ARRAYS)

    def test_report_fields_agree(self):
        kinds = {"int64_t": int, "double": float}
        expected = [(name, (kinds[kind], dimension, meaning))
                    for kind, name, dimension, meaning in map_entries("SCREE_REPORT_MAP")]
        self.assertEqual(list(report.FIELDS.items()), expected)
        self.assertIn("[length]", scree.Report.meaning("overlap_max"))

    def test_measure_fields_agree(self):
        kinds = {"int64_t": int, "double": float}
        for name, given in (("SCREE_MEASURE_MAP", _measure_fields.STATE), ("SCREE_ENERGY_MAP", _measure_fields.ENERGY),
                            ("SCREE_PROFILE_MAP", _measure_fields.PROFILE),
                            ("SCREE_ANISOTROPY_MAP", _measure_fields.ANISOTROPY),
                            ("SCREE_INDETERMINACY_MAP", _measure_fields.INDETERMINACY),
                            ("SCREE_MOTIONS_MAP", _measure_fields.MOTION)):
            expected = [(entry[1], (kinds[entry[0]], entry[2], entry[3])) for entry in map_entries(name)]
            self.assertEqual(list(given.items()), expected)

    def test_law_fields_agree(self):
        presets = {"0": 0.0, "INFINITY": float("inf")}
        entries = map_entries("SCREE_LAW_MAP")
        self.assertEqual(list(laws.MEANING.items()),
                         [(name, (dimension, meaning)) for name, dimension, _, meaning in entries])
        self.assertEqual([getattr(scree.Law(), name) for name, *_ in entries],
                         [presets[preset] for _, _, preset, _ in entries])
        self.assertEqual(laws.from_c(_library.library().scree_law_default()), scree.Law())

    def test_status_texts_agree(self):
        entries = map_entries("SCREE_STATUS_MAP")
        self.assertEqual(errors.STATUS, tuple(name for name, _ in entries))
        for number, (name, text) in enumerate(entries):
            self.assertEqual(_library.library().scree_status_get_text(number).decode(), text)
            if number:
                self.assertIsNot(type(errors.error_of(number, text)), errors.Error, name)

    def test_enums_agree(self):
        expected = {"ScreeEngine": _library.ENGINES, "ScreeSearch": _library.SEARCHES, "ScreeOrder": _library.ORDERS,
                    "ScreeMethod": _library.METHODS,
                    "ScreeCriterion": _library.CRITERIA, "ScreeIntegrator": _library.INTEGRATORS,
                    "ScreeSoftFriction": _library.SOFT_FRICTIONS, "ScreeWallShape": _library.SHAPES,
                    "ScreeWallMotion": _library.MOTIONS, "ScreePartKind": _library.PART_KINDS,
                    "ScreeCellControl": _library.CELL_CONTROLS, "ScreeGrowthKeeps": growth.KEEPS,
                    "ScreeContactState": _library.CONTACT_STATES,
                    "ScreeDeviceChoice": device.CHOICES,
                    "ScreeScenePolicy": _library.POLICIES, "ScreeDistribution": _library.DISTRIBUTIONS,
                    "ScreeProfileAxis": _library.PROFILE_AXES,
                    "ScreeProblemVerdict": _problem_structs.VERDICTS}
        found = enum_names()
        self.assertEqual(set(found), set(expected))
        for name, texts in expected.items():
            members = [member for member in found[name] if not member.endswith("_COUNT")]
            for number, (member, text) in enumerate(zip(members, texts)):
                self.assertTrue(member.endswith("_" + text.upper()), f"{member} is not {text}")
                self.assertEqual(self.told[member], (number,))
            self.assertEqual(len(members), len(texts), name)
        self.assertEqual([state.name.lower() for state in scree.ContactState], list(_library.CONTACT_STATES))

    def test_constants_agree(self):
        self.assertEqual(self.told["SCREE_MESSAGE_SIZE"], (_library.MESSAGE_SIZE,))
        self.assertEqual(self.told["SCREE_FILE_MESSAGE_SIZE"], (_library.FILE_MESSAGE_SIZE,))
        bits = {name: value[0] for name, value in self.told.items() if name.startswith("SCREE_FREEZE_")}
        self.assertEqual(bits, {"SCREE_FREEZE_" + name: int(bit) for name, bit in scree.Freeze.__members__.items()})
        self.assertEqual(_library.library().scree_get_version().decode(), scree.__version__)

    def test_function_signatures_agree(self):
        """Names, and whether each argument and result is a pointer, a number of that type, or a struct."""
        plain = {"void": None, "double": ctypes.c_double, "size_t": ctypes.c_size_t, "uint64_t": ctypes.c_uint64,
                 "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
                 "int": ctypes.c_int, "bool": ctypes.c_bool,
                 "ScreeStatus": ctypes.c_int, "ScreeDistribution": ctypes.c_int, "ScreeProblemVerdict": ctypes.c_int,
                 **_library.STRUCTS}
        found = re.findall(r"SCREE_API\s+([\w\s*]+?)(\w+)\(([^()]*)\);", HEADER)
        self.assertEqual({name for _, name, _ in found}, set(_library.FUNCTIONS))
        for result, name, arguments in found:
            given_result, given = _library.FUNCTIONS[name]
            parts = [] if arguments.strip() == "void" else arguments.split(",")
            self.assertEqual(len(parts), len(given), name)
            for text, kind in [(result, given_result)] + list(zip(parts, given)):
                if "*" in text:
                    pointer = kind in (ctypes.c_void_p, ctypes.c_char_p) or issubclass(kind, ctypes._Pointer)
                    self.assertTrue(pointer, f"{name}: {text}")
                else:
                    word = text.replace("const", "").split()[0]
                    self.assertIs(kind, plain[word], f"{name}: {text}")

    def test_the_table_of_a_device_agrees(self):
        body = dict(STRUCT.findall(DEVICE))["ScreeDevice"]
        functions = re.findall(r"\(\*(\w+)\)\(", body)
        self.assertEqual([name for name, _ in device._Table._fields_], ["context"] + functions + ["steps"])
        self.assertIn("void (*close)(void *context);", body)
        self.assertIn("const struct ScreeDeviceSteps *steps;", body)
        self.assertIn("const char *(*name)(void *context);", body)

    def test_reading_the_header_can_fail(self):
        """The reader of lists sees all of them: as many fields as commas of the struct's size say."""
        self.assertEqual(8 * len(map_entries("SCREE_REPORT_MAP")), self.told["ScreeReport"][0])
        self.assertEqual(8 * len(map_entries("SCREE_LAW_MAP")), self.told["ScreeLaw"][0])
        self.assertEqual(np.dtype(scree.REPORT).itemsize, self.told["ScreeReport"][0])


if __name__ == "__main__":
    unittest.main()
