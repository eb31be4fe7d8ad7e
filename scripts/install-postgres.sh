#!/usr/bin/env bash
# Installs PostgreSQL and pgvector on Debian for the tests. Idempotent; needs root.
# Debian 12 has no pgvector package: its source is taken from the next release and built against the installed server.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive

installed_major() {
  ls /usr/lib/postgresql 2>/dev/null | sort -n | tail -n 1
}

has_vector() {
  local major
  major=$(installed_major)
  [ -n "$major" ] && [ -x "/usr/lib/postgresql/$major/bin/initdb" ] && [ -f "/usr/share/postgresql/$major/extension/vector.control" ]
}

if has_vector; then
  echo "PostgreSQL $(installed_major) with pgvector is installed."
  exit 0
fi

apt-get update -q
if [ -z "$(installed_major)" ]; then
  apt-get install -q -y --no-install-recommends postgresql
fi
major=$(installed_major)

if apt-get install -q -y --no-install-recommends "postgresql-$major-pgvector"; then
  exit 0
fi

apt-get install -q -y --no-install-recommends "postgresql-server-dev-$major" build-essential dpkg-dev

# Download the next release from the archive that this machine already uses.
own_release=$(. /etc/os-release && echo "$VERSION_CODENAME")
case "$own_release" in
  bookworm) next_release=trixie ;;
  *) echo "install-postgres: no pgvector package for Debian $own_release and no known next release" >&2; exit 1 ;;
esac
archive=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
  awk -v release="$own_release" '$2 == release && $3 == "main" { print $1; exit }')
[ -n "$archive" ] || { echo "install-postgres: this machine's apt configuration names no Debian archive" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/lists/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $next_release main" > "$work/next.list"
apt_next=(-o "Dir::Etc::SourceList=$work/next.list" -o "Dir::Etc::SourceParts=/dev/null" -o "Dir::State::Lists=$work/lists" -o "APT::Sandbox::User=root")
apt-get "${apt_next[@]}" update -q
(cd "$work" && apt-get "${apt_next[@]}" source -q pgvector)
make -s -C "$work"/pgvector-*/ with_llvm=no PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config"
make -s -C "$work"/pgvector-*/ with_llvm=no PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" install
has_vector
