import type { LegacyMemories } from '../../ports/legacy-memories.js';

/**
 * `missing`: it has no copy. `hidden`: no search could show whether it has one. `different`: its copy has different
 * content. `error`: it cannot be copied.
 */
export const differenceKinds = ['missing', 'hidden', 'different', 'error'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** A row whose difference an operator has accepted. */
export interface AcceptedRow {
  id: string;
  /** Accepts only differences of this kind; default: any. */
  kind?: DifferenceKind | undefined;
  /** Why it is accepted, for people. */
  reason?: string | undefined;
}

type Verdict = 'used' | 'matches' | 'blank' | DifferenceKind;

/** The rows whose differences do not fail a verification. Keeps track of entries that are no longer needed. */
export class AcceptedRows {
  readonly #rows: Map<string, AcceptedRow>;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(rows: readonly AcceptedRow[]) {
    this.#rows = new Map(rows.map((row) => [row.id.toLowerCase(), row]));
  }

  /** Returns the entry that accepts this difference, if there is one. */
  accept(id: string, kind: DifferenceKind): AcceptedRow | undefined {
    const row = this.#rows.get(id.toLowerCase());
    if (row === undefined) return undefined;
    const isAccepted = row.kind === undefined || row.kind === kind;
    this.#verdicts.set(id.toLowerCase(), isAccepted ? 'used' : kind);
    return isAccepted ? row : undefined;
  }

  /** Notes that a row has no difference. */
  noteSame(id: string, verdict: 'matches' | 'blank'): void {
    if (this.#rows.has(id.toLowerCase())) this.#verdicts.set(id.toLowerCase(), verdict);
  }

  /** Yields the entries that did not apply. Entries of rows that were not verified are judged only if the row is gone. */
  async *findStale(source: LegacyMemories): AsyncGenerator<{ id: string; reason: string }> {
    for (const [key, { id, kind }] of this.#rows) {
      const verdict = this.#verdicts.get(key);
      if (verdict === 'used') continue;
      if (verdict === undefined) {
        if ((await source.get(id)) === undefined) yield { id, reason: 'is not in the older store' };
      } else if (verdict === 'matches') yield { id, reason: 'matches' };
      else if (verdict === 'blank') yield { id, reason: 'is blank, and blank rows are not copied' };
      else yield { id, reason: `is accepted as ${kind}, but is ${verdict}` };
    }
  }
}
