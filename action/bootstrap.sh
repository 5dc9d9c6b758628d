#!/usr/bin/env bash
# Finds a Python that can run the action, and hands over to the Python beside it.
#
# -I keeps Python away from the work folder, from PYTHON* variables and from user packages: a checked-out repository
# can hold a json.py of its own. A name on PATH may still fail when it is run (shims do), so each is tried.
set -eu

program="$GITHUB_ACTION_PATH/action"
probe='import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))'

run_with() {
  if "$@" -I -c "$probe" </dev/null >/dev/null 2>&1; then
    exec "$@" -I -B -X utf8 "$program"
  fi
}

run_with python3
run_with python
run_with py -3

# What the runner keeps for setup-python. Its folder is written with backslashes on Windows.
cache="${RUNNER_TOOL_CACHE:-}"
cache="${cache//\\//}"
arch=$(printf '%s' "${RUNNER_ARCH:-X64}" | tr '[:upper:]' '[:lower:]')
if [ -n "$cache" ]; then
  for version in 3.13 3.12 3.11 3; do
    for python in "$cache/Python/$version".*/"$arch"/bin/python3 "$cache/Python/$version".*/"$arch"/python.exe; do
      if [ -x "$python" ]; then
        run_with "$python"
      fi
    done
  done
fi

printf 'verdict=unknown\n' >>"${GITHUB_OUTPUT:-/dev/null}"
echo "::error title=sitemap-guard::No Python 3.11 or newer with venv was found on this runner:" \
  "add a step with 'uses: actions/setup-python' and 'python-version: 3.13' before this one."
exit 2
