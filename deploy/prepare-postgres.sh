#!/bin/sh
# Prepares an empty database `memhall`, as a superuser: the extension that only a superuser may create, and the user that owns the
# database. Memhall creates everything else as that user. The image of PostgreSQL runs this once, when it creates its files.
set -eu
password=$(tr -d '\n' < "${DATABASE_PASSWORD_FILE:-/run/secrets/database-password}")
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$password" --username="${POSTGRES_USER:-postgres}" --dbname=memhall <<'SQL'
CREATE EXTENSION vector;
CREATE ROLE memhall LOGIN CREATEROLE PASSWORD :'password';
ALTER DATABASE memhall OWNER TO memhall;
SQL
