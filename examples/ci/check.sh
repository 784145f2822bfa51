#!/usr/bin/env bash
# Checks models against the budgets of tflarena.toml, and compares them with another revision:
#
#	check.sh [REVISION] [MODEL or flag of "tflarena check"...]
#
# An empty REVISION compares with nothing. The table goes to the file $SUMMARY, by default memory.md. The exit code
# is that of "tflarena check": 4 if a model exceeds a budget or has a fault.
set -euo pipefail
revision=${1:-}
shift || true
summary=${SUMMARY:-memory.md}
if [ -n "$revision" ]; then
  git rev-parse --quiet --verify "$revision^{commit}" >/dev/null || {
    git fetch --quiet --depth 1 origin "$revision"
    revision=FETCH_HEAD
  }
  base=$(mktemp -d)
  trap 'git worktree remove --force "$base/tree"; rmdir "$base"' EXIT
  git worktree add --quiet --detach "$base/tree" "$revision"
  set -- --base "$base/tree/$(git rev-parse --show-prefix)" "$@"
fi
"${TFLARENA:-tflarena}" check --format "${FORMAT:-text}" -o "markdown=$summary" "$@"
