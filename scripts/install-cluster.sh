#!/usr/bin/env bash
# Installs what the tests of many nodes need on Debian: a pooler, a load balancer, and PostgreSQL that fails over. Needs root.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends \
  pgbouncer haproxy patroni python3-etcd etcd-server etcd-client nftables iproute2
