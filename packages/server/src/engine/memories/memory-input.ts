import { describeFault, findTextFault, type Json, Problem } from '@memhall/core';
import type { Embedder } from '../../ports/embedder.js';
import { lengthOf, toUnit } from './embed-contents.js';

export const memoryLimits = {
  contentCharacters: 200_000,
  queryCharacters: 20_000,
  tags: 100,
  tagCharacters: 128,
  metadataCharacters: 65_536,
  labelCharacters: 256,
  batch: 500,
} as const;

const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the content as stored, in Unicode NFC. Throws INVALID_REQUEST if it is blank or too long. */
export function toContent(content: string, name = 'content'): string {
  if (typeof content !== 'string') throw invalid(`"${name}" must be a string.`);
  const fault = describeFault(content);
  if (fault !== undefined) throw invalid(`"${name}" ${fault}.`);
  const normal = content.normalize('NFC');
  if (!/\S/u.test(normal)) throw invalid(`"${name}" must not be blank.`);
  if (normal.length > memoryLimits.contentCharacters) {
    throw invalid(`"${name}" has more than ${memoryLimits.contentCharacters} characters: split it.`);
  }
  return normal;
}

/** Checks names of users, sessions, agents and so on: short and on one line. */
export function checkLabel(name: string, label: string | undefined): void {
  if (label === undefined) return;
  if (label === '' || label.length > memoryLimits.labelCharacters || /\p{Cc}/u.test(label) || !label.isWellFormed()) {
    throw invalid(`"${name}" must have 1 to ${memoryLimits.labelCharacters} characters and no control characters.`);
  }
}

/** Removes duplicates and keeps the order. */
export function toTags(tags: readonly string[]): string[] {
  if (tags.length > memoryLimits.tags) throw invalid(`"tags" has more than ${memoryLimits.tags} entries.`);
  const normal = tags.map((tag) => {
    const fault = describeFault(tag);
    if (fault !== undefined) throw invalid(`A tag ${fault}.`);
    if (tag.trim() === '' || tag.length > memoryLimits.tagCharacters) {
      throw invalid(`A tag must have 1 to ${memoryLimits.tagCharacters} characters.`);
    }
    return tag.normalize('NFC');
  });
  return [...new Set(normal)];
}

/** Throws INVALID_REQUEST if the JSON cannot be stored unchanged. */
export function checkJson(name: string, value: Json): void {
  const fault = findTextFault(value);
  if (fault !== undefined) throw invalid(`"${name}${fault.pointer}" ${fault.message}.`);
}

/** `name` is the member of the request. */
export function checkMetadata(metadata: { [key: string]: Json }, name = 'metadata'): void {
  if (typeof metadata !== 'object' || Array.isArray(metadata)) throw invalid(`"${name}" must be an object.`);
  checkJson(name, metadata);
  if (JSON.stringify(metadata).length > memoryLimits.metadataCharacters) {
    throw invalid(`"${name}" has more than ${memoryLimits.metadataCharacters} characters as JSON.`);
  }
  const names = new Set(['__proto__', 'constructor', 'prototype']);
  const pending: Json[] = [metadata];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === null || typeof next !== 'object') continue;
    for (const [member, value] of Object.entries(next)) {
      if (!Array.isArray(next) && names.has(member))
        throw invalid(`"${name}" must not have a member called ${member}.`);
      pending.push(value);
    }
  }
}

export function checkDate(name: string, date: Date): void {
  const at = date instanceof Date ? date.getTime() : Number.NaN;
  if (!(at >= firstMoment && at <= lastMoment)) throw invalid(`"${name}" must be a date between the years 1 and 9999.`);
}

/** Scales a vector from outside to unit length. Throws if it cannot be one of this embedder's vectors. */
export function toVector(numbers: readonly number[], embedder: Embedder | null): Float32Array {
  if (embedder === null) throw invalid('This server does not use embeddings: send text instead.');
  if (numbers.length !== embedder.dimension) {
    throw new Problem(
      'EMBEDDING_DIMENSION_MISMATCH',
      `The embedding has ${numbers.length} dimensions; memories here have ${embedder.dimension} (${embedder.model}).`,
      { details: { expected: embedder.dimension, received: numbers.length } },
    );
  }
  for (const number of numbers)
    if (!Number.isFinite(number)) throw invalid('The embedding must contain only finite numbers.');
  const vector = new Float32Array(numbers);
  const length = lengthOf(vector);
  if (length === 0 || length === Number.POSITIVE_INFINITY)
    throw invalid('The embedding has no direction: its numbers are all zero or too large.');
  return toUnit(vector);
}

function invalid(message: string): Problem {
  return new Problem('INVALID_REQUEST', message);
}
