#!/usr/bin/env bash
# Installs the frameworks that `npm run test:frameworks` runs: the current versions, and with MEMHALL_TEST_LONG the previous ones and those that
# take several hundred megabytes.
set -euo pipefail
cd "$(dirname "$0")/.."

directories=(examples/frameworks)
if [ -n "${MEMHALL_TEST_LONG:-}" ]; then
  directories+=(packages/agent/test/frameworks/previous examples/claude-agent-sdk packages/agent/test/frameworks/previous-claude)
fi
# Some of them ask for Node 22. Their adapters are for Node 20, too, and are tested with it.
for directory in "${directories[@]}"; do
  (cd "$directory" && npm ci --engine-strict=false --no-audit --no-fund --ignore-scripts)
done
