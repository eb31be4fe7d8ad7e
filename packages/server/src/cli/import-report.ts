import { type Brought, type BroughtOutcome, broughtOutcomes } from '../engine/imports/bring-in.js';
import type { ForeignSource, UnfitItem } from '../ports/foreign-memories.js';
import { toLine } from './text-width.js';

const mostExamples = 5;
const mostPlaces = 3;
const longestExample = 100;

const meanings: Readonly<Record<BroughtOutcome, string>> = {
  new: 'stored',
  changed: 'updated: the tool changed it since it was imported',
  present: 'there already',
  edited: 'left alone: it was changed here since it was imported',
  held_back: 'held back: instructions to models',
  refused: 'refused: it cannot be stored',
  unstored: 'off the record',
};
const wouldBe: Partial<Record<BroughtOutcome, string>> = {
  new: 'would be stored',
  changed: 'would be updated: the tool changed it since it was imported',
};

interface LeftOut {
  reason: string;
  count: number;
  places: string[];
}

interface Example {
  place: string;
  occurred_at: string | null;
  author: string | null;
  text: string;
}

/** Counts what an import does. Keeps a few examples; the complete list of what is not stored is written as it grows. */
export class ImportReport {
  readonly #source: ForeignSource;
  readonly #isApplied: boolean;
  readonly #write: (line: string) => Promise<void> | undefined;
  readonly #counts = new Map<BroughtOutcome, number>();
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #examples: Example[] = [];
  #unfit = 0;
  #withSecrets = 0;
  #withoutTime = 0;

  /** @param write receives a line of JSON for everything that is not stored */
  constructor(source: ForeignSource, isApplied: boolean, write: (line: string) => Promise<void> | undefined) {
    this.#source = source;
    this.#isApplied = isApplied;
    this.#write = write;
  }

  get hasStored(): boolean {
    return this.#isApplied && (this.#counts.get('new') ?? 0) + (this.#counts.get('changed') ?? 0) > 0;
  }

  async add({ foreign, outcome, reason, hasSecrets }: Brought): Promise<void> {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (outcome === 'new' || outcome === 'changed') {
      const { place, occurredAt, role, author, text } = foreign;
      if (hasSecrets) this.#withSecrets += 1;
      if (occurredAt === undefined) this.#withoutTime += 1;
      // Shown as it is in the export, so an example never has one that is to be removed.
      if (this.#examples.length < mostExamples && !hasSecrets) {
        const shown = text.length > longestExample ? `${text.slice(0, longestExample).toWellFormed()}…` : text;
        const who = role ?? author ?? null;
        this.#examples.push({
          place,
          occurred_at: occurredAt?.toISOString() ?? null,
          author: who,
          text: toLine(shown),
        });
      }
    } else if (outcome !== 'present') {
      await this.#leave(outcome, reason ?? meanings[outcome], foreign.place, foreign.id);
    }
  }

  /** The export has it twice. */
  addRepeated(): void {
    this.#counts.set('present', (this.#counts.get('present') ?? 0) + 1);
  }

  async addUnfit({ place, reason }: Omit<UnfitItem, 'type'>): Promise<void> {
    this.#unfit += 1;
    await this.#leave('did_not_fit', reason, place);
  }

  toJson(): object {
    const counts = Object.fromEntries(broughtOutcomes.map((outcome) => [outcome, this.#counts.get(outcome) ?? 0]));
    return {
      from: this.#source,
      dry_run: !this.#isApplied,
      counts: { ...counts, did_not_fit: this.#unfit },
      with_secrets_removed: this.#withSecrets,
      without_time: this.#withoutTime,
      examples: this.#examples,
      left_out: this.#sorted(),
    };
  }

  /** @param file where the complete list is */
  toText(file: string | undefined): string {
    const rows = broughtOutcomes.flatMap((outcome): [number, string][] => {
      const count = this.#counts.get(outcome) ?? 0;
      const meaning = (this.#isApplied ? undefined : wouldBe[outcome]) ?? meanings[outcome];
      return count === 0 && outcome !== 'new' ? [] : [[count, meaning]];
    });
    if (this.#unfit > 0) rows.push([this.#unfit, 'did not fit']);
    if (this.#withSecrets > 0) rows.push([this.#withSecrets, 'of them without the secrets in their texts']);
    if (this.#withoutTime > 0) rows.push([this.#withoutTime, 'of them without a time in the export: now']);
    const examples = this.#examples.map(({ occurred_at: at, author, text }) =>
      [at?.slice(0, 10) ?? 'no date   ', author === null ? '' : `${author}:`, text]
        .filter((part) => part !== '')
        .join('  '),
    );
    const leftOut = this.#sorted().map(({ reason, count, places }) => {
      const more = count > places.length ? ', …' : '';
      return `${count}  ${reason} (${places.join('; ')}${more})`;
    });
    return [
      this.#isApplied ? `Imported from ${this.#source}.` : `Dry run: nothing was stored. Add --apply to store it.`,
      ...rows.map(([count, meaning]) => `  ${String(count).padStart(8)}  ${meaning}`),
      ...(examples.length === 0 ? [] : ['Examples', ...examples.map((line) => `  ${line}`)]),
      ...(leftOut.length === 0 ? [] : ['Not stored', ...leftOut.map((line) => `  ${line}`)]),
      ...(leftOut.length === 0 || file === undefined ? [] : [`The complete list is in ${file}.`]),
    ].join('\n');
  }

  #sorted(): LeftOut[] {
    return [...this.#leftOut.values()].sort((one, other) => other.count - one.count);
  }

  async #leave(outcome: string, reason: string, place: string, id?: string): Promise<void> {
    const known = this.#leftOut.get(reason) ?? { reason, count: 0, places: [] };
    known.count += 1;
    if (known.places.length < mostPlaces) known.places.push(toLine(place));
    this.#leftOut.set(reason, known);
    await this.#write(JSON.stringify({ outcome, reason, place, ...(id === undefined ? {} : { id }) }));
  }
}
