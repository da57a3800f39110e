#!/bin/sh
# Run once by the PostgreSQL image, as its administrator, when the ledger's volume is empty. The password is the one that the image was
# given. Afterwards, the administrator can connect only inside the container.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -v password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE hangar LOGIN PASSWORD :'password';
CREATE DATABASE hangar OWNER hangar;
REVOKE ALL ON DATABASE hangar FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
