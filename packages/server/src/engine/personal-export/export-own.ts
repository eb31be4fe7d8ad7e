import { mutate } from '../audit/mutate.js';
import { onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import type { Member } from '../one-memory/member.js';
import { exportDocuments } from './export-documents.js';
import { exportFacts } from './export-facts.js';
import { exportFiles } from './export-files.js';
import { exportConversations, exportNotes, exportRemembered, exportSpoken } from './export-memories.js';
import type { ExportCounts, ExportFormat, ExportPart } from './export-part.js';

const counted = { fact: 'facts', memory: 'memories', document: 'documents', file: 'files' } as const;

/**
 * Exports what a user owns on every surface and what they wrote in their workspace, in public and in namespaces they may read, as it is
 * stored: nothing of others. Yields pages. Each page is a read of its own, so a reader that stops holds nothing. Pages follow keys that
 * never change, so what exists from the beginning to the end is in the export, whatever is written meanwhile. The export is recorded
 * in the audit log first.
 */
export async function* exportOwn(engine: Engine, member: Member, format: ExportFormat): AsyncGenerator<ExportPart[]> {
  await mutate(engine, onTheRecord(member), async () => ({
    result: undefined,
    mutations: [{ target: 'export', preEtag: null, postEtag: null, contentHash: null, details: { format } }],
  }));
  const counts: ExportCounts = { facts: 0, memories: 0, documents: 0, files: 0 };
  yield [{ type: 'begin', at: engine.clock.now() }];
  const said = format === 'markdown' ? exportConversations : exportSpoken;
  for (const section of [exportFacts, exportRemembered, exportNotes, exportDocuments, said, exportFiles]) {
    for await (const page of section(engine, member)) {
      for (const { type } of page) if (type in counted) counts[counted[type as keyof typeof counted]] += 1;
      if (page.length > 0) yield page;
    }
  }
  yield [{ type: 'end', counts }];
}
