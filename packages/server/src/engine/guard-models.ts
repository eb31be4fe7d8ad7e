import { Problem, type ScanVerdict, scanText } from '@memhall/core';
import type { Caller } from './caller.js';
import type { Engine } from './engine.js';

/** Why something was kept from a model, told to operators: nothing of what it says. */
export interface Blocked extends Pick<ScanVerdict, 'category' | 'rule'> {
  tenantId: string;
  requestId: string;
  /** Of a memory, or the address of a document. */
  id: string;
}

/**
 * What is to be shown to a model has to pass here. Answers why it must not be; undefined: it may. The operator is told, the
 * model need not be.
 */
export function findBlocked(
  engine: Engine,
  { tenantId, requestId }: Pick<Caller, 'tenantId' | 'requestId'>,
  id: string,
  texts: Iterable<string>,
): Pick<ScanVerdict, 'category' | 'rule'> | undefined {
  for (const text of texts) {
    const verdict = scanText(text);
    if (verdict === undefined) continue;
    const { category, rule } = verdict;
    engine.telemetry.countBlocked('read', category);
    engine.onBlocked({ tenantId, requestId, id, category, rule });
    return { category, rule };
  }
  return undefined;
}

/** Throws CONTENT_BLOCKED. Sees a text before its secrets are gone: they may be what gives it away. */
export function refuseBlocked({ telemetry }: Engine, text: string): void {
  const verdict = scanText(text);
  if (verdict === undefined) return;
  const { category, rule } = verdict;
  telemetry.countBlocked('write', category);
  throw new Problem('CONTENT_BLOCKED', 'The text holds what must not reach a model, and was not stored.', {
    details: { category, rule },
  });
}

/** The strings of a document as they are, not as JSON writes them: an escape must not hide what they say. */
export function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const member of value) yield* textsOf(member);
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsOf(member);
    }
  }
}
