"""Writes targets.csv: the targets of chips.csv, with SRAM regions and clocks from the packages of requirements.txt.

    pip install --no-deps -r requirements.txt
    python generate.py           # write targets.csv
    python generate.py --check   # fail if targets.csv differs

A region of the result is contiguous memory that can hold an arena. Regions of a source whose addresses touch are
merged, because an arena can span them. Omitted are:

- aliases: the same memory at another address, as pyOCD marks it, for the Secure state ("_s" beside "_ns"), or for
  instructions ("code" in modm-devices)
- memory for instructions (ITCM), for a peripheral (USB) or for standby (backup, low power)
- addresses from 0x40000000 on, where a Cortex-M has peripherals and external memory
"""

import argparse
import ast
import csv
import importlib.metadata
import importlib.util
import io
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
PERIPHERALS = 0x40000000
NO_ARENA = re.compile(r"(itcm|code$|backup|bkpsram|lpram|usb|eeprom|flash)", re.IGNORECASE)


def folder(package):
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])


def named(package, title):
    return f"{title} {importlib.metadata.version(package)}"


def find_class(path, name):
    """Returns the definition of a class in a Python file, which is parsed and not run."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
    raise SystemExit(f"{path}: there is no class {name}")


def pyocd(file, name):
    """Returns the source and the regions of a target of pyOCD: the calls of RamRegion in its class."""
    regions = []
    for call in ast.walk(find_class(folder("pyocd") / "target" / file, name)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "RamRegion"):
            continue
        value = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
        if "alias" in value or value.get("is_external"):
            continue
        length = value["length"] if "length" in value else value["end"] + 1 - value["start"]
        regions.append((value.get("name", "ram"), value["start"], length))
    return f"{named('pyocd', 'pyOCD')}, {file.rpartition('/')[2]}", regions


def modm_device(device):
    """Returns the source and the description of a device of modm-devices."""
    from modm_devices.parser import DeviceParser  # It reads XML with conditions on the device.

    root = folder("modm_devices") / "resources" / "devices"
    files = {d: f for family in json.loads((root / "db.json").read_text()).values() for d, f in family.items()}
    if device not in files:
        raise SystemExit(f"modm-devices has no device {device}")
    for found in DeviceParser().parse(str(root / files[device])).get_devices():
        if found.identifier.string == device:
            return f"{named('modm-devices', 'modm-devices')}, {device}", found
    raise SystemExit(f"modm-devices: {files[device]} does not define {device}")


def modm(device):
    """Returns the source and the regions of a device of modm-devices: the writable memories of its core."""
    source, found = modm_device(device)
    memories = found.get_driver("core")["memory"]
    names = {m["name"] for m in memories}
    regions = []
    for m in memories:
        base, _, state = m["name"].rpartition("_")
        if "w" not in m["access"] or state == "s" and base + "_ns" in names:
            continue
        regions.append((base if state == "ns" else m["name"], int(m["start"], 0), int(m["size"])))
    return source, regions


def clock(text, source):
    """Returns a clock in MHz with its source, or "": see chips.csv."""
    kind, _, device = (text or source).partition(":")
    if kind != "modm":
        return text or ""
    source, found = modm_device(device)
    rcc = found.get_driver("rcc") or {}
    return "".join(f"{int(hertz) // 10**6} {source}" for hertz in rcc.get("max-frequency", []))


def esptool(chip, link, regions):
    """Returns the source of regions in a linker script of Espressif, which must lie in the DRAM of esptool."""
    targets = folder("esptool") / "targets"
    text = (targets / f"{chip}.py").read_text()
    if "MEMORY_MAP" not in text:  # It inherits that of another chip.
        text = (targets / (re.search(r"from \.(esp\w+) import", text)[1] + ".py")).read_text()
    dram = [
        (row[0], row[1])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MEMORY_MAP"
        for row in ast.literal_eval(node.value)
        if row[2] == "DRAM"
    ]
    for name, start, size in regions:
        if not any(first <= start and start + size <= end for first, end in dram):
            raise SystemExit(f"{chip}: {name} is not in the DRAM that esptool lists")
    return f"static data of {link}, in the DRAM of {named('esptool', 'esptool')}"


def arenas(regions):
    """Returns the regions that can hold an arena, sorted, with those that touch merged."""
    merged = []
    for name, start, size in sorted(regions, key=lambda r: r[1]):
        if NO_ARENA.match(name) or start >= PERIPHERALS:
            continue
        if merged and merged[-1][1] + merged[-1][2] == start:
            first, begin, length, _ = merged[-1]
            merged[-1] = (first, begin, length + size, name)
        else:
            merged.append((name, start, size, ""))
    return [(f"{first} to {last}" if last else first, start, size) for first, start, size, last in merged]


def parse(text):
    for region in filter(None, text.split("; ")):
        name, _, place = region.rpartition(" ")
        start, _, size = place.partition("+")
        yield name, int(start, 0), int(size, 0)


def generate():
    lines = [line for line in (HERE / "chips.csv").read_text().splitlines() if line and not line.startswith("#")]
    reader = csv.DictReader(lines)
    rows = sorted(reader, key=lambda row: row["name"])
    for row in rows:
        source, regions = row["source"], list(parse(row["regions"]))
        row["clock"] = clock(row["clock"], source)
        kind, _, rest = source.partition(":")
        if kind == "pyocd":
            source, regions = pyocd(*rest.split(":"))
            regions = arenas(regions)
        elif kind == "modm":
            source, regions = modm(rest)
            regions = arenas(regions)
        elif kind == "esptool":
            chip, link = rest.split(" ")
            source = esptool(chip, link, regions)
        else:
            regions = arenas(regions)
        row["source"] = source
        row["regions"] = "; ".join(f"{name} {start:#x}+{size:#x}" for name, start, size in regions)
        if source and not regions:
            raise SystemExit(f"{row['name']}: no region is left")
    out = io.StringIO()
    writer = csv.DictWriter(out, reader.fieldnames, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser(description="Write targets.csv.")
    parser.add_argument("--check", action="store_true", help="fail if targets.csv differs, and write nothing")
    check = parser.parse_args().check
    path, text = HERE / "targets.csv", generate()
    if not check:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit("targets.csv is not what generate.py writes: run it and commit")


main()
