import type { SurfaceName } from '../ports/memory-origin.js';

/** Operations of which the first part alone would say something else. */
const surfaceOfOperation: Readonly<Record<string, SurfaceName>> = {
  'conversations.extract': 'gateway',
  'memories.import': 'import',
  'memories.export': 'import',
  'semantic.migrate': 'import',
  'users.getSettings': 'api',
  'users.putSettings': 'api',
  'users.register': 'gateway',
};

/** The first part of operation ids, as they are in audit records. A test compares this with the routes. */
const surfaceOfFamily: Readonly<Record<string, SurfaceName>> = {
  ...familiesOf('api', 'attributes changes facts memory offTheRecord sources subjects webhooks'),
  ...familiesOf('library', 'memories'),
  ...familiesOf('cli', 'cli'),
  ...familiesOf('memory_service', 'episodic plans procedural semantic sessions state tasks working'),
  ...familiesOf('gateway', 'gateway resources'),
  ...familiesOf(
    'documents',
    `artifacts audit context conversations documents events legalHolds profiles receipts replays retention
     retentionCeilings schemas tenant tenants unresolved unresolvedQueue users workspaces`,
  ),
  ...familiesOf('plugin', 'plugin'),
  ...familiesOf('mcp', 'mcp'),
  ...familiesOf('provider', 'provider quarantine'),
  ...familiesOf('files', 'files'),
  ...familiesOf('import', 'backfill import'),
};

/**
 * Returns the surface that an operation belongs to. Operations that no surface has are those of a program that embeds the
 * engine.
 */
export function surfaceOf(operation: string): SurfaceName {
  const [family = ''] = operation.split('.', 1);
  return own(surfaceOfOperation, operation) ?? own(surfaceOfFamily, family) ?? 'library';
}

function own(table: Readonly<Record<string, SurfaceName>>, name: string): SurfaceName | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function familiesOf(surface: SurfaceName, names: string): Record<string, SurfaceName> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, surface]));
}
