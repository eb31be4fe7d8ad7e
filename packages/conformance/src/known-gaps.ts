import { WrongUse } from './faults.js';
import type { Requirement } from './suite.js';

/** A requirement that a target is known to fail, and why. */
export interface KnownGap {
  id: string;
  reason: string;
}

/** Reads a list of gaps: `[{"id": "PLUGIN-FTS-06", "reason": "…"}]`. Throws WrongUse when it is not one. */
export function parseKnownGaps(text: string): KnownGap[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw new WrongUse('Known gaps must be a list: [{"id": "…", "reason": "…"}].');
  return list.map((entry: unknown) => {
    const { id, reason } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      throw new WrongUse('Each known gap needs an id and a reason, both text.');
    }
    return { id, reason };
  });
}

export function checkKnownGaps(gaps: readonly KnownGap[], requirements: readonly Requirement[]): void {
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { id } of gaps) {
    if (!known.has(id)) throw new WrongUse(`The known gap ${id} is no requirement: --list shows those there are.`);
    if (seen.has(id)) throw new WrongUse(`The known gap ${id} is there twice.`);
    seen.add(id);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse('The file of known gaps is not JSON.');
  }
}
