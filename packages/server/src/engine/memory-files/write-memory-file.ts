import { describeFault, Problem } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import { writeDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { redactUnblocked } from '../guard-models.js';
import type { Precondition } from '../precondition.js';
import { opsBetween, toLines, toText } from '../text-lines.js';
import { fileBindingId, fileProfileId } from './memory-file-profile.js';
import { type FileRoot, type MemoryPath, placeOf } from './memory-path.js';
import { getMemoryFile } from './read-memory-file.js';
import { Refusal } from './refusal.js';
import { checkNames, namesUnder } from './stored-files.js';
import { checkLines } from './view-text.js';

/** In UTF-16 code units. */
export const maxFileChars = 100_000;

interface FileWrite {
  precondition: Precondition;
  /** Returns the new text, given the present one. Called again if the file has changed in the meantime. */
  edit(before: string): string;
}

export interface WrittenFile {
  /** The whole text, without secrets. */
  text: string;
  etag: string;
}

/**
 * Writes a file as the next version of its document. The edit applies to the file as it is when it is stored, so nothing that others write
 * at the same time is lost. Throws Refusal, CONTENT_BLOCKED or, if the precondition does not hold, ETAG_MISMATCH.
 */
export async function writeMemoryFile(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  path: MemoryPath,
  { precondition, edit }: FileWrite,
): Promise<WrittenFile> {
  const present = await engine.store.read(scopeOf(caller), (tables) => getMemoryFile(tables, root, path.name));
  const before = present?.text ?? '';
  checkExpected(precondition, present?.etag);
  const prepared = await checked(engine, caller, path, edit(before));
  if (await isOffTheRecord(engine, caller)) {
    throw new Refusal('Error: Nothing was stored: this is off the record.');
  }
  const place = placeOf(root, path.name);
  const { document } = await writeDocument(
    engine,
    caller,
    {
      ...{ ...place, profileId: fileProfileId, bindingId: fileBindingId, reason: 'live_update', precondition },
      ...{ evidence: null, confidence: null, replaces: false, idempotency: null },
      additions: [
        { segments: ['content', 'lines'], value: toLines(prepared.text), before: toLines(before), isText: true },
      ],
      async alongside(tables) {
        if (present === undefined) await checkPlace(tables, root, path.name);
        return [];
      },
    },
    async ({ before: content, validate }) => {
      const stored = toText(content.content);
      const text = stored === before ? prepared.text : (await checked(engine, caller, path, edit(stored))).text;
      const lines = toLines(text);
      validate({ lines });
      return { content: { lines }, ops: opsBetween(toLines(stored), lines), redirected: false };
    },
  );
  engine.telemetry.countRedactions(prepared.found);
  return { text: toText(document.body.content), etag: document.etag };
}

/** Fails early, before anything is scanned. The transaction checks it again. */
function checkExpected(precondition: Precondition, etag: string | undefined): void {
  const isMissing = precondition.kind !== 'absent' && precondition.kind !== 'none' && etag === undefined;
  const isThere = precondition.kind === 'absent' && etag !== undefined;
  if (isMissing || isThere) throw new Problem('ETAG_MISMATCH', 'The file was created or deleted in the meantime.');
}

/** Returns a text without its secrets. The whole text counts: two harmless parts may be harmful together. */
async function checked(engine: Engine, caller: Caller, { shown }: MemoryPath, text: string) {
  const fault = describeFault(text);
  if (fault !== undefined) throw new Refusal(`Error: The text ${fault}. Remove it.`);
  checkLines(shown, text.split('\n'));
  if (text.length > maxFileChars) {
    throw new Refusal(
      `Error: File ${shown} would have ${text.length} characters, more than ${maxFileChars}. Store less, or use several files.`,
    );
  }
  return redactUnblocked(engine, caller, text);
}

/** The new file is among the names already. */
async function checkPlace(tables: Tables, root: FileRoot, name: string): Promise<void> {
  const names = await namesUnder(tables, root, '');
  checkNames(
    names.filter((one) => one !== name),
    [name],
  );
}
