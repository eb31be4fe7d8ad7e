import { createHash } from 'node:crypto';
import { type Json, jsonEqual } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import { type WrittenDocument, writeDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import type { Precondition } from '../precondition.js';
import { opsBetween, toLines, toText } from '../text-lines.js';
import { storeTierIndex, type TierIndex } from './tier-index.js';
import type { TierPlace } from './tier-place.js';
import { tierProfileId } from './tier-profile.js';

interface TierWrite {
  place: TierPlace;
  reason: string;
  precondition: Precondition;
  index: TierIndex;
  /** Returns the new text. Throws if it must not be written. */
  draft(before: string): string | Promise<string>;
  /** Returns the users whose words are in the new text. If missing, they stay the same. */
  writersAfter?: (before: readonly string[]) => readonly string[];
  /** False if the new text as a whole was not scanned: the next reader does that. Default: true. */
  isScreened?: boolean;
  /** Makes further changes in the same transaction. */
  alongside?: (tables: Tables, now: Date) => void;
}

/** Writes the text of a tier as a version of its document and updates the search index, in one transaction. */
export async function writeTier(engine: Engine, caller: Caller, write: TierWrite): Promise<WrittenDocument> {
  const { place, reason, precondition, index, draft, writersAfter, isScreened = true, alongside } = write;
  const { namespace, path, tier } = place;
  let waits = false;
  const written = await writeDocument(
    engine,
    caller,
    {
      ...{ namespace, path, profileId: tierProfileId, bindingId: tier, reason, precondition },
      ...{ evidence: null, confidence: null, replaces: false, idempotency: null },
      async alongside(tables, document, now) {
        const text = toText(document.body.content);
        const indexed = await storeTierIndex(engine, tables, caller, place, text, { ...index, now });
        waits = indexed.waits;
        alongside?.(tables, now);
        return indexed.mutations;
      },
    },
    async ({ before, validate }) => {
      const present = toText(before.content);
      const lines = toLines(await draft(present));
      const known = writersOf(before.content);
      const writers = [...(writersAfter?.(known) ?? known)];
      const content = { ...before.content, lines, writers };
      validate(content);
      const ops = opsBetween(toLines(present), lines);
      if (!jsonEqual(before.content.writers ?? null, writers)) {
        ops.push({ op: 'add', path: '/content/writers', value: writers });
      }
      return { content, ops, redirected: false };
    },
  );
  if (isScreened) engine.screenedTiers.add(written.document.etag);
  if (waits && engine.embedder !== null) engine.onUnembedded(caller.tenantId);
  return written;
}

export function writersOf({ writers }: { [key: string]: Json }): string[] {
  return Array.isArray(writers) ? writers.filter((writer) => typeof writer === 'string') : [];
}

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
