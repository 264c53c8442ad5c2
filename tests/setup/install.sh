#!/bin/sh
# Make .venv from the pinned file: with uv where it is installed, else with venv and pip. Then byte-compile.
set -eu

fail() { echo "error: $1" >&2; exit 2; }

"$PYTHON" -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] < (3, 14)))' 2>/dev/null \
  || fail "Python 3.11, 3.12 or 3.13 is needed, as in: make PYTHON=python3.12 test"

# uv is used only where it works: a version manager may put a name there that leads nowhere.
if uv --version >/dev/null 2>&1; then
  [ -x .venv/bin/python ] || uv venv -q --python "$PYTHON" .venv
  uv pip sync -q --python .venv/bin/python --require-hashes requirements.lock
  uv pip install -q --python .venv/bin/python --no-deps --no-build-isolation -e .
else
  [ -x .venv/bin/python ] || "$PYTHON" -m venv .venv
  .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip -q
  .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
fi
.venv/bin/python -m compileall -q -j 0 .venv/lib cellwright >/dev/null 2>&1 || true
