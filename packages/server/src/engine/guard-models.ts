import { type OptionalLabel, Problem, type Redaction, type ScanVerdict, scanText } from '@memhall/core';
import { type Caller, scopeOf } from './caller.js';
import { checkTextTask } from './check-text.js';
import type { Engine } from './engine.js';
import { readLong } from './read-long.js';

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

/** The same for texts that may be long, or many. */
export async function findBlockedIn(
  engine: Engine,
  caller: Pick<Caller, 'tenantId' | 'requestId'>,
  id: string,
  scanned: readonly string[],
): Promise<Pick<ScanVerdict, 'category' | 'rule'> | undefined> {
  const { verdict } = await readLong(engine, checkTextTask, { text: '', scanned, also: [] }, lengthOf(scanned));
  if (verdict === undefined) return undefined;
  reportBlocked(engine, caller, id, [verdict]);
  const { category, rule } = verdict;
  return { category, rule };
}

/** Returns a text that may be long without its secrets, for a model to read. */
export async function withoutSecrets(
  engine: Engine,
  text: string,
  also: readonly OptionalLabel[] = [],
): Promise<string> {
  const { redaction } = await readLong(engine, checkTextTask, { text, scanned: [], also }, text.length);
  return redaction.text;
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
export function refuseBlocked(engine: Engine, text: string): void {
  refuseVerdict(engine, scanText(text));
}

/** Throws CONTENT_BLOCKED if a text of the given ones is hostile. Otherwise returns `text` without its secrets. */
export async function redactUnblocked(
  engine: Engine,
  caller: Caller,
  text: string,
  scanned: readonly string[] = [text],
): Promise<Redaction> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const { verdict, redaction } = await readLong(engine, checkTextTask, { text, scanned, also }, lengthOf(scanned));
  refuseVerdict(engine, verdict);
  return redaction;
}

function lengthOf(texts: readonly string[]): number {
  return [...new Set(texts)].reduce((sum, one) => sum + one.length, 0);
}

function refuseVerdict({ telemetry }: Engine, verdict: ScanVerdict | undefined): void {
  if (verdict === undefined) return;
  const { category, rule } = verdict;
  telemetry.countBlocked('write', category);
  throw new Problem('CONTENT_BLOCKED', 'The text contains something that must not reach a model. It was not stored.', {
    details: { category, rule },
  });
}
