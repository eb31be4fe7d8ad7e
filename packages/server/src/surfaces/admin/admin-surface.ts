import { Problem } from '@memhall/core';
import { exportMemories } from '../../engine/cutover/export-memories.js';
import { importMemories } from '../../engine/cutover/import-memories.js';
import type { MemoryHolding } from '../../engine/cutover/memory-holding.js';
import type { Engine } from '../../engine/engine.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { ExportedMemories, exportQuery, Imported, importBody, importQuery } from './admin-schemas.js';
import { fromEntry } from './to-entry.js';
import { writeExport } from './write-export.js';

export interface AdminServices {
  engine: Engine;
  /** What the cutover flag says; undefined: the older store, and there is none. */
  holding: MemoryHolding | undefined;
}

const maxImportBytes = 25 * 1024 * 1024;

/** Export and import of memories for those who move from an older store. */
export const adminSurface: Surface<AdminServices> = {
  name: 'admin',
  title: 'Administration',
  renderProblem,
  routes: [
    defineRoute({
      operation: 'memories.export',
      method: 'GET',
      path: '/admin/memories/export',
      summary: 'Read all memories: of the older store, or after the cutover of the memory plugin',
      description:
        'Sent while it is read. The answer can be sent to import as it is, if it is not larger than that takes.',
      access: 'admin',
      tenantWide: true,
      request: { query: exportQuery },
      responses: { 200: { description: 'The memories', schema: ExportedMemories } },
      problems: ['CONFLICT'],
      async handle({ engine, holding }: AdminServices, { caller, query }) {
        const known = requireHolding(holding);
        if (query.namespace !== undefined && known.name === 'legacy') {
          throw new Problem('INVALID_REQUEST', 'The older store has no namespaces: leave ?namespace= out.');
        }
        const body = await writeExport(exportMemories(engine, known, caller, query));
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, body };
      },
    }),
    defineRoute({
      operation: 'memories.import',
      method: 'POST',
      path: '/admin/memories/import',
      summary: 'Bring memories in: into the older store, or after the cutover into the memory plugin',
      description: 'Takes what export gives, up to 25 MiB and 10,000 entries at once. Twice is once.',
      access: 'admin',
      tenantWide: true,
      bodyLimitBytes: maxImportBytes,
      request: { query: importQuery, body: importBody },
      responses: { 200: { description: 'What became of the entries', schema: Imported } },
      problems: ['CONFLICT'],
      async handle({ engine, holding }: AdminServices, { caller, query, body }) {
        const entries = Array.isArray(body) ? body : body.memories;
        const offered = entries.map((entry) => fromEntry(entry as object));
        const { faults, ...counts } = await importMemories(engine, requireHolding(holding), caller, offered);
        const answer = { ...counts, errors: faults.length };
        return { body: query.failures ? { ...answer, failures: faults } : answer };
      },
    }),
  ],
};

function requireHolding(holding: MemoryHolding | undefined): MemoryHolding {
  if (holding !== undefined) return holding;
  throw new Problem(
    'CONFLICT',
    'There is no older store here: set MEMORY_LEGACY_DATABASE_URL, or MEMORY_V2_CUTOVER=true to work on the memory plugin.',
  );
}
