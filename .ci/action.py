"""Runs the steps of a composite GitHub Action as a runner does, in the working directory:

    action.py ACTION_FOLDER BASE_REF [INPUT=VALUE...]

Expressions other than those below, and actions other than setup-go, which only installs Go, are errors.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml


def main() -> int:
    folder, base, *given = sys.argv[1:]
    action = yaml.safe_load((pathlib.Path(folder) / "action.yml").read_text())
    values = {"github.action_path": str(pathlib.Path(folder).resolve()), "github.base_ref": base}

    def fill(text: object) -> str:
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda m: values[m[1]], str(text))

    named = dict(word.split("=", 1) for word in given)
    for name, about in action["inputs"].items():
        values[f"inputs.{name}"] = named.pop(name) if name in named else fill(about["default"])
    if named:
        sys.exit(f"the action has no inputs {', '.join(named)}")
    for step in action["runs"]["steps"]:
        if "uses" in step:
            if not step["uses"].startswith("actions/setup-go@"):
                sys.exit(f"cannot run {step['uses']}")
            continue
        if step["shell"] != "bash":
            sys.exit(f"cannot run a step in {step['shell']}")
        env = os.environ | {key: fill(value) for key, value in step.get("env", {}).items()}
        where = fill(step.get("working-directory", "."))
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", fill(step["run"])], env=env, cwd=where)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
