#!/usr/bin/env bash
# Installs what the tests of deployment need on Debian: buildah and mmdebstrap for the image, Go and Sprig for the chart.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends \
  buildah mmdebstrap golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev systemd
