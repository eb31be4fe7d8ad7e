import type { TestDatabase } from './databases.js';
import { pastEverything } from './past-everything.js';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Returns every `table.column` of the database that contains the text, checking each column that can hold text. */
export async function findText(database: TestDatabase, text: string): Promise<string[]> {
  const columns = await pastEverything<Column & Record<string, unknown>>(
    database,
    `SELECT format('%I.%I', nspname, relname) AS "table", quote_ident(attname) AS "column", typname AS "type"
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
       JOIN pg_type ON pg_type.oid = atttypid
     WHERE relkind IN ('r', 'p', 'm') AND attnum > 0 AND NOT attisdropped
       AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
       AND typname IN ('text', '_text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea')`,
  );
  const searches = columns.map(({ table, column, type }) => {
    const found =
      type === 'bytea'
        ? `position(convert_to('${text}', 'UTF8') in ${column}) > 0`
        : `strpos(${column}::text, '${text}') > 0`;
    return `SELECT '${table}.${column}' AS place WHERE EXISTS (SELECT FROM ${table} WHERE ${found})`;
  });
  const places = await pastEverything<{ place: string }>(database, searches.join(' UNION ALL '));
  return places.map(({ place }) => place).sort();
}
