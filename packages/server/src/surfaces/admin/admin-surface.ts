import { Problem } from '@memhall/core';
import { exportMemories } from '../../engine/cutover/export-memories.js';
import { importMemories } from '../../engine/cutover/import-memories.js';
import type { MemoryHolding } from '../../engine/cutover/memory-holding.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import { startedStream } from '../../http/started-stream.js';
import type { Surface } from '../../http/surface.js';
import { ExportedMemories, exportQuery, Imported, importBody, importQuery } from './admin-schemas.js';
import type { AdminServices } from './admin-services.js';
import { auditProofRoutes } from './audit-proof-routes.js';
import { ownerRoutes } from './owner-routes.js';
import { fromEntry } from './to-entry.js';
import { tokenRevocationRoutes } from './token-revocation-routes.js';
import { writeExport } from './write-export.js';

const maxImportBytes = 25 * 1024 * 1024;

/** Signed heads and proofs of the audit log; revocation of tokens; export and import of memories, for migrating from an older store. */
export const adminSurface: Surface<AdminServices> = {
  name: 'admin',
  title: 'Administration',
  description: 'For administrators: users, revoked tokens, proofs of the audit log, export and import.',
  loadExamples: async () => (await import('./admin-examples.js')).adminExamples,
  renderProblem,
  routes: [
    ...tokenRevocationRoutes,
    ...auditProofRoutes,
    ...ownerRoutes,
    defineRoute({
      operation: 'memories.export',
      method: 'GET',
      path: '/admin/memories/export',
      summary: 'Export all memories from the older store or, after the cutover, from the memory plugin.',
      description:
        'The response is streamed. It can be sent to the import unchanged if it is within the limits of the import.',
      access: 'admin',
      tenantWide: true,
      request: { query: exportQuery },
      responses: { 200: { description: 'The memories', schema: ExportedMemories } },
      problems: ['CONFLICT'],
      async handle({ engine, holding }: AdminServices, { caller, query }) {
        const known = requireHolding(holding);
        if (query.namespace !== undefined && known.name === 'legacy') {
          throw new Problem(
            'INVALID_REQUEST',
            'The older store has no namespaces. Leave out the query parameter "namespace".',
          );
        }
        const body = await startedStream(writeExport(exportMemories(engine, known, caller, query)));
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, body };
      },
    }),
    defineRoute({
      operation: 'memories.import',
      method: 'POST',
      path: '/admin/memories/import',
      summary: 'Import memories into the older store or, after the cutover, into the memory plugin.',
      description:
        'Accepts the response of the export, up to 25 MiB and 10,000 entries per request. Importing an entry twice stores it once.',
      access: 'admin',
      tenantWide: true,
      bodyLimitBytes: maxImportBytes,
      request: { query: importQuery, body: importBody },
      responses: { 200: { description: 'Counts of imported, skipped and failed entries', schema: Imported } },
      problems: ['CONFLICT'],
      async handle({ engine, holding }: AdminServices, { caller, query, body }) {
        const entries = Array.isArray(body) ? body : body.memories;
        const offered = entries.map((entry) => fromEntry(entry as object));
        const { faults, ...counts } = await importMemories(engine, requireHolding(holding), caller, offered);
        const report = { ...counts, errors: faults.length };
        return { body: query.failures ? { ...report, failures: faults } : report };
      },
    }),
  ],
};

function requireHolding(holding: MemoryHolding | undefined): MemoryHolding {
  if (holding !== undefined) return holding;
  throw new Problem(
    'CONFLICT',
    'No older store is configured. Set MEMORY_LEGACY_DATABASE_URL, or set MEMORY_V2_CUTOVER=true to use the memory plugin.',
  );
}
