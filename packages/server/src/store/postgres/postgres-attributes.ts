import type { Attributes, StoredAttribute } from '../../ports/attributes.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface AttributeRow {
  name_key: string;
  name: string;
  single: boolean;
  ends_alone: boolean;
  synonyms: string[];
  synonym_keys: string[];
  patterns: string[];
  created_at: Date;
  updated_at: Date;
}

const columns = 'name_key, name, single, ends_alone, synonyms, synonym_keys, patterns, created_at, updated_at';

export function postgresAttributes(statements: Statements, { tenantId }: TransactionScope): Attributes {
  return {
    async find(key) {
      const rows = await statements.query<AttributeRow>(
        `SELECT ${columns} FROM memhall.attributes WHERE tenant_id = $1 AND (name_key = $2 OR $2 = ANY (synonym_keys))
         ORDER BY name_key <> $2, name_key`,
        [tenantId, key],
      );
      return rows.map(fromRow);
    },

    async list() {
      const rows = await statements.query<AttributeRow>(
        `SELECT ${columns} FROM memhall.attributes WHERE tenant_id = $1 ORDER BY name_key`,
        [tenantId],
      );
      return rows.map(fromRow);
    },

    put({ nameKey, name, single, endsAlone, synonyms, synonymKeys, patterns, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.attributes (tenant_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (tenant_id, name_key) DO UPDATE SET name = excluded.name, single = excluded.single,
           ends_alone = excluded.ends_alone, synonyms = excluded.synonyms, synonym_keys = excluded.synonym_keys,
           patterns = excluded.patterns, updated_at = excluded.updated_at`,
        [tenantId, nameKey, name, single, endsAlone, synonyms, synonymKeys, patterns, createdAt, updatedAt],
      );
    },
  };
}

function fromRow(row: AttributeRow): StoredAttribute {
  return {
    nameKey: row.name_key,
    name: row.name,
    single: row.single,
    endsAlone: row.ends_alone,
    synonyms: row.synonyms,
    synonymKeys: row.synonym_keys,
    patterns: row.patterns,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
