/**
 * Returns the statements that create the tables, if they do not exist. JSON is stored as text, because it must come
 * back unchanged. @param {string} schema
 */
export const tablesOf = (schema) => `
  BEGIN;
  SELECT pg_advisory_xact_lock(hashtext('memory plugin ${schema}'));
  CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
  CREATE SCHEMA IF NOT EXISTS ${schema};
  CREATE TABLE IF NOT EXISTS ${schema}.namespaces (
    name text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    expires_at timestamptz,
    metadata text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE TABLE IF NOT EXISTS ${schema}.memories (
    id uuid PRIMARY KEY,
    namespace text COLLATE "C" NOT NULL REFERENCES ${schema}.namespaces ON DELETE CASCADE,
    content text NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    pin boolean NOT NULL,
    expires_at timestamptz,
    propagation text,
    embedding vector,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seq bigint GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX IF NOT EXISTS memories_newest ON ${schema}.memories (namespace, pin DESC, created_at DESC, seq DESC);
  COMMIT`;
