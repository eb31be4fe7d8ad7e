#!/usr/bin/env bash
# Installs what the tests of the Python client need, from Debian's packages. Idempotent; needs root.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
packages=(python3-httpx python3-pytest python3-venv python3-pip python3-setuptools python3-wheel python3-build mypy)

if dpkg --status "${packages[@]}" > /dev/null 2>&1; then
  exit 0
fi
apt-get update -q
apt-get install -q -y --no-install-recommends "${packages[@]}"
