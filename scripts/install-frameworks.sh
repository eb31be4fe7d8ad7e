#!/usr/bin/env bash
# Installs the frameworks that `npm run test:frameworks` runs: the current versions, and with MEMHALL_TEST_LONG the previous ones and those that
# take several hundred megabytes.
set -euo pipefail
cd "$(dirname "$0")/.."

directories=(examples/frameworks)
if [ -n "${MEMHALL_TEST_LONG:-}" ]; then
  directories+=(packages/agent/test/frameworks/previous examples/claude-agent-sdk packages/agent/test/frameworks/previous-claude)
fi
for directory in "${directories[@]}"; do
  (cd "$directory" && npm ci --no-audit --no-fund --ignore-scripts)
done
