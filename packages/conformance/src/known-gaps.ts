import { WrongUse } from './faults.js';
import type { Requirement } from './suite.js';

/** A requirement that a target is known to fail, with the reason. */
export interface KnownGap {
  id: string;
  reason: string;
}

/** Parses a list of gaps: `[{"id": "PLUGIN-FTS-06", "reason": "…"}]`. Throws WrongUse if it is malformed. */
export function parseKnownGaps(text: string): KnownGap[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw new WrongUse('Known gaps must be a list: [{"id": "…", "reason": "…"}].');
  return list.map((entry: unknown) => {
    const { id, reason } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      throw new WrongUse('Each known gap needs an id and a reason, both strings.');
    }
    return { id, reason };
  });
}

export function checkKnownGaps(gaps: readonly KnownGap[], requirements: readonly Requirement[]): void {
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  for (const { id } of gaps) {
    if (!known.has(id))
      throw new WrongUse(`The known gap ${id} is not a requirement. Use --list to show all requirements.`);
    if (seen.has(id)) throw new WrongUse(`The known gap ${id} is listed twice.`);
    seen.add(id);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse('The known gaps file is not JSON.');
  }
}
