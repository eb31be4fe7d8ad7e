#!/bin/sh
# Runs `memhall` with the secrets in the files of $MEMHALL_SECRETS as settings. Compose mounts secrets as files.
set -eu
read_secret() { tr -d '\n' < "$MEMHALL_SECRETS/$1"; }
password=$(read_secret database-password | node -p 'encodeURIComponent(require("node:fs").readFileSync(0, "utf8"))')
DATABASE_URL="postgres://memhall:$password@${MEMHALL_DATABASE_HOST:-postgres}:${MEMHALL_DATABASE_PORT:-5432}/memhall"
MEMHALL_JWT_SECRET=$(read_secret jwt-secret)
MEMHALL_MASTER_KEY=$(read_secret master-key)
MEMHALL_AUDIT_KEY=$(read_secret audit-key)
export DATABASE_URL MEMHALL_JWT_SECRET MEMHALL_MASTER_KEY MEMHALL_AUDIT_KEY
unset MEMHALL_SECRETS MEMHALL_DATABASE_HOST MEMHALL_DATABASE_PORT
exec memhall "$@"
