#!/usr/bin/env bash
# Checks and tests the Python client with Debian's Python, and with MEMHALL_TEST_LONG its store with LangGraph itself.
set -euo pipefail
cd "$(dirname "$0")/../clients/python"

/usr/bin/python3 -m mypy
/usr/bin/python3 -m pytest -q -rs -p no:cacheprovider
if [ -n "${MEMHALL_TEST_LONG:-}" ]; then
  bash ../../scripts/install-langgraph-for-python.sh
  python="$PWD/../../node_modules/.cache/memhall-python/bin/python"
  MYPYPATH=src /usr/bin/python3 -m mypy --strict --config-file= --python-version 3.11 --python-executable "$python" \
    --follow-imports silent src/memhall/langgraph.py
  MEMHALL_TEST_LANGGRAPH=1 "$python" -m pytest -q -p no:cacheprovider tests/test_langgraph.py
fi
