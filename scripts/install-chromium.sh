#!/usr/bin/env bash
# Installs Debian's Chromium, for `npm run test:browser`. Run as root.
set -euo pipefail
if [ -x /usr/bin/chromium ]; then exit 0; fi
apt-get update -q
apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core
