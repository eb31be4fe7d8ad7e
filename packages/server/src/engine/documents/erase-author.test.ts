import { applyPatch, type Json, type PatchOperation } from '@memhall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import { applyRecord, type DocumentRecord, parseDocumentRecord } from './document-record.js';
import { erasePast, linesBy } from './erase-author.js';
import { ErasedWords } from './erase-words.js';
import { etagOf } from './governed-document.js';

interface Step {
  by: string | null;
  ops: PatchOperation[];
  operation?: string;
}

const at = (version: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, version)).toISOString();

/** Returns the records of a document that starts empty and changes in these steps. */
function historyOf(steps: readonly Step[], start: DocumentBody['content'] = { lines: [], notes: {} }) {
  const kept = { doc_id: 'd', schema_id: 's', schema_version: '1', created_at: at(0) };
  let content = start;
  const records = steps.map(({ by, ops, operation = 'documents.patch' }, index) => {
    const version = index + 1;
    ({ content } = applyPatch({ content }, ops) as Pick<DocumentBody, 'content'>);
    const updated = { updated_at: at(version), updated_by: by ?? 'memhall' };
    const origin = index === 0 ? { doc_id: 'd', created_at: at(0), content: start, migrated_from: null } : null;
    const record = {
      ...{ at: at(version), document_version: version, schema_id: 's', schema_version: '1', ops, origin, operation },
      ...{ updated_by: updated.updated_by, evidence: null, idempotency: null, pre_etag: null },
      ...{
        actor: { user_id: by, service_id: null, roles: [] },
        post_etag: etagOf(version, { ...kept, ...updated, content }),
      },
    } as unknown as DocumentRecord;
    return { seq: BigInt(version), record: JSON.stringify(record), hash: Buffer.alloc(32) };
  });
  return { past: { beginning: undefined, records }, content };
}

const isCommon = (line: string) => ['lines', 'notes'].includes(line);
const add = (value: Json, path = '/content/lines/-'): PatchOperation => ({ op: 'add', path, value });

/** Erases the words of `pat` and returns the records and all their states. */
async function erase(steps: readonly Step[]) {
  const { past } = historyOf(steps);
  const own = await linesBy('pat', past, isCommon);
  const erased = await erasePast('pat', past, new ErasedWords(own), 'receipt');
  const texts = new Map(erased.records.map(({ seq, record }) => [seq, record]));
  const records = past.records.map(({ seq, record }) => parseDocumentRecord({ record: texts.get(seq) ?? record }));
  const states: Json[] = [];
  let state: ReturnType<typeof applyRecord>;
  for (const record of records) {
    state = applyRecord(state, record);
    states.push(state?.body.content ?? null);
  }
  return { own, records, states, replaced: erased.records.map(({ seq }) => Number(seq)) };
}

describe('erasing an author', () => {
  it('replaces the lines the author wrote first and keeps all others', async () => {
    const { states, replaced } = await erase([
      { by: 'quinn', ops: [add('The kettle is in the kitchen.')] },
      { by: 'pat', ops: [add('My sister is Lena.')] },
      { by: 'quinn', ops: [add('Tea is at four.')] },
    ]);
    expect(states.at(-1)).toMatchObject({ lines: ['The kettle is in the kitchen.', '[erased 1]', 'Tea is at four.'] });
    expect(replaced).toEqual([2, 3]);
  });

  it('follows a line that others send again, or quote in a longer one', async () => {
    const { states } = await erase([
      { by: 'pat', ops: [add('My sister is called Lena.')] },
      { by: 'quinn', ops: [{ op: 'replace', path: '/content/lines', value: ['My sister is called Lena.', 'Tea.'] }] },
      { by: null, ops: [add('Pat said: My sister is called Lena. It was late.')] },
    ]);
    expect(states.at(-1)).toMatchObject({ lines: ['[erased 1]', 'Tea.', 'Pat said: [erased 1] It was late.'] });
  });

  it('leaves lines of others that the author sent again', async () => {
    const { states } = await erase([
      { by: 'quinn', ops: [add('Tea is at four.')] },
      { by: 'pat', ops: [{ op: 'replace', path: '/content/lines', value: ['Tea is at four.', 'I like milk.'] }] },
    ]);
    expect(states.at(-1)).toMatchObject({ lines: ['Tea is at four.', '[erased 1]'] });
  });

  it('leaves a short line that somebody else added as well, but not one that came out of quarantine', async () => {
    const again = (operation: string): Step => ({ by: 'quinn', ops: [add('# Notes')], operation });
    const shared = await erase([{ by: 'pat', ops: [add('# Notes')] }, again('documents.patch')]);
    expect(shared.states.at(-1)).toMatchObject({ lines: ['# Notes', '# Notes'] });
    const released = await erase([{ by: 'pat', ops: [add('# Notes')] }, again('quarantine.release')]);
    expect(released.states.at(-1)).toMatchObject({ lines: ['[erased 1]', '[erased 1]'] });
  });

  it('replaces names of members in values and in paths', async () => {
    const { states, records } = await erase([
      { by: 'pat', ops: [add('yes', '/content/notes/Lena is my sister')] },
      { by: 'quinn', ops: [{ op: 'replace', path: '/content/notes/Lena is my sister', value: 'no' }] },
    ]);
    expect(JSON.stringify(records)).not.toContain('Lena');
    expect(states.at(-1)).toMatchObject({ notes: { '[erased 1]': 'no' } });
  });

  it('keeps every history replayable, and no word of the author anywhere', async () => {
    const word = (by: string) =>
      fc.integer({ min: 0, max: 30 }).map((number) => `${by} tells the story of number ${number}`);
    const step = fc.constantFrom('pat', 'quinn').chain((by) =>
      fc
        .array(
          fc.oneof(
            word(by).map((value) => add(value)),
            word(by).map((value) => add(`${value}\n${value} again`)),
            word(by).map((name) => add(name, `/content/notes/${name}`)),
            fc.array(word(by), { maxLength: 3 }).map((value) => add(value, '/content/lines')),
            fc.constant<PatchOperation>({ op: 'copy', from: '/content/lines', path: '/content/notes/copy' }),
            fc.constant<PatchOperation>({ op: 'move', from: '/content/notes', path: '/content/notes' }),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((ops): Step => ({ by, ops })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { records, states } = await erase(steps);
        expect(JSON.stringify(records.map(({ ops, origin }) => [ops, origin]))).not.toContain('pat tells');
        const before = historyOf(steps).content;
        const quinns = (value: Json) => JSON.stringify(value).match(/quinn tells the story of number \d+/g) ?? [];
        expect(quinns(states.at(-1) ?? null)).toEqual(quinns(before));
      }),
    );
  });
});
