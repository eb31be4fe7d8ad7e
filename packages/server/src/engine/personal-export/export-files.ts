import type { Resource } from '../../ports/resources.js';
import { scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { Member } from '../one-memory/member.js';
import { resourceSession } from '../resources/resource-chunks.js';
import { exportPieces } from './export-memories.js';
import type { ExportPart } from './export-part.js';

const pageSize = 100;

/** The uploaded files, newest first, each followed by the pieces of its text. Their bytes are not included. */
export async function* exportFiles(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  for (let last: Resource | undefined; ; ) {
    const before = last && { at: last.createdAt, id: last.resourceId };
    const files = await engine.store.read(scopeOf(member), (tables) =>
      tables.resources.list({}, { before, limit: pageSize }),
    );
    for (const resource of files) {
      yield [{ type: 'file', resource }];
      yield* exportPieces(engine, member, resourceSession(member.userId, resource.resourceId));
    }
    if (files.length < pageSize) return;
    last = files.at(-1);
  }
}
