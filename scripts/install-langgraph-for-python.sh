#!/usr/bin/env bash
# Installs the interface of LangGraph for Python, with which `MEMHALL_TEST_LONG=1 npm run test:python` compares our store, apart from the system. Idempotent.
set -euo pipefail
cd "$(dirname "$0")/.."

place=node_modules/.cache/memhall-python
wanted=(langgraph-checkpoint==4.2.0 langchain-core==1.6.5)
mark="$place/${wanted[*]}"
if [ -f "$mark" ]; then exit 0; fi
rm -rf "$place"
python3 -m venv "$place"
"$place/bin/pip" install --quiet httpx==0.28.1 pytest==9.1.1 ormsgpack==1.12.2 langsmith==0.14.0 jsonpatch==1.33 PyYAML==6.0.3 tenacity==9.1.4
# Without what LangGraph needs for graphs, which no store does.
"$place/bin/pip" install --quiet --no-deps "${wanted[@]}"
touch "$mark"
