"""Writes drawn objects as pickles of all protocols: "FORM HEX" a line, as pickle_test.go has FORM."""
import pickle
import random
import sys


def draw(r, depth):
    kind = r.randrange(12 if depth else 7)
    if kind == 0:
        return r.choice([None, True, False])
    if kind in (1, 2):
        return r.choice([1, -1]) * r.getrandbits(r.choice([1, 8, 16, 31, 32, 47, 63]))
    if kind == 3:
        return r.choice([0.0, -1.5, 3e300, 2.0 ** -40])
    if kind in (4, 5):
        return "".join(r.choice(["a", "'", '"', "\\", "\n", "\u00e9", "\u20ac", "\U0001f600", "\x00"]) for _ in range(r.choice([0, 1, 5, 300])))
    if kind == 6:
        return r.choice(["frames", "action", "alloc", ""])
    items = [draw(r, depth - 1) for _ in range(r.choice([0, 1, 2, 3, 5]))]
    if kind in (7, 8):
        if depth == 1 and r.random() < 0.1:
            items *= 300
        made = list(items)
        if r.random() < 0.2:
            made.append(made)
        if made and r.random() < 0.3:
            made.append(made[0])
        return made
    if kind == 9:
        return tuple(items)
    return {r.choice(["a", "b", 1, -7, ("t", 1), None]): v for v in items} | {str(i): v for i, v in enumerate(items)}


def form(x, above=()):
    if any(a is x for a in above):
        return "..."
    above += (x,)
    if x is None or isinstance(x, bool):
        return str(x)
    if isinstance(x, int):
        return str(x) if -2 ** 63 <= x < 2 ** 63 else "large"
    if isinstance(x, float):
        return "f%.17g" % x
    if isinstance(x, str):
        return "t" + x.encode().hex()
    if isinstance(x, list):
        return "[" + ",".join(form(y, above) for y in x) + "]"
    if isinstance(x, tuple):
        return "(" + ",".join(form(y, above) for y in x) + ")"
    return "{" + ",".join(form(y, above) for kv in x.items() for y in kv) + "}"


r = random.Random(int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    x = draw(r, 4)
    for protocol in range(6):
        print(form(x), pickle.dumps(x, protocol).hex())
