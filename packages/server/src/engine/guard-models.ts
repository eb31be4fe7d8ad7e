import { Problem, type ScanVerdict, scanText } from '@memhall/core';
import type { Caller } from './caller.js';
import type { Engine } from './engine.js';

/** Why something was withheld from a model. For operators; contains nothing of the text. */
export interface Blocked extends Pick<ScanVerdict, 'category' | 'rule'> {
  tenantId: string;
  requestId: string;
  /** Id of a memory, or the id, etag or path of a document. */
  id: string;
}

/**
 * Checks texts before they are shown to a model. Returns why they must not be shown, or undefined if they may. A blocked text is
 * reported to the operator; the caller decides whether the model learns of it.
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
    reportBlocked(engine, { tenantId, requestId }, id, [verdict]);
    return { category, rule };
  }
  return undefined;
}

/** Reports texts that are withheld from a model to the operator. */
export function reportBlocked(
  engine: Engine,
  { tenantId, requestId }: Pick<Caller, 'tenantId' | 'requestId'>,
  id: string,
  verdicts: readonly Pick<ScanVerdict, 'category' | 'rule'>[],
): void {
  for (const { category, rule } of verdicts) {
    engine.telemetry.countBlocked('read', category);
    engine.onBlocked({ tenantId, requestId, id, category, rule });
  }
}

/** Throws CONTENT_BLOCKED. Pass the text before its secrets are redacted: they may be what the scanner recognizes. */
export function refuseBlocked({ telemetry }: Engine, text: string): void {
  const verdict = scanText(text);
  if (verdict === undefined) return;
  const { category, rule } = verdict;
  telemetry.countBlocked('write', category);
  throw new Problem('CONTENT_BLOCKED', 'The text contains something that must not reach a model. It was not stored.', {
    details: { category, rule },
  });
}

/** Yields the strings and member names of a document without JSON escapes, which could hide text from the scanner. */
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
