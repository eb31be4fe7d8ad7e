import {
  addFound,
  type FoundSecrets,
  type Json,
  type OptionalLabel,
  type PatchOperation,
  parsePointer,
} from '@memhall/core';
import type { Threads } from '../../ports/threads.js';
import { readLongBetween } from '../read-long.js';
import type { SlowResults } from '../slow-results.js';
import type { Binding } from './profile.js';
import { type NamedValue, type RedactedValues, redactDocumentTask } from './redact-document.js';

/** Replaces the secrets in what is written through a binding, if the binding demands it, and counts them. */
export class DocumentSecrets {
  readonly found: FoundSecrets = {};
  readonly #isOn: boolean;
  readonly #redact: (values: readonly NamedValue[]) => RedactedValues;

  /**
   * Long values are left to `slow`.
   * @param also what the tenant wants redacted in addition to secrets
   */
  constructor(
    engine: { threads: Threads },
    slow: SlowResults,
    { redactsSecrets }: Pick<Binding, 'redactsSecrets'>,
    also: readonly OptionalLabel[],
  ) {
    this.#isOn = redactsSecrets;
    this.#redact = (values) => {
      const characters = JSON.stringify(values).length;
      return readLongBetween(engine, slow, redactDocumentTask, { values, also }, characters);
    };
  }

  get count(): number {
    return Object.values(this.found).reduce((sum, count) => sum + count, 0);
  }

  /** `name` is the member that the value belongs to. */
  replaceIn<T extends Json | null>(value: T, name = ''): T {
    if (!this.#isOn || value === null) return value;
    return this.#replaceAll([{ name, value }])[0] as T;
  }

  /** Paths stay as they are. */
  replaceInPatch(ops: readonly PatchOperation[]): readonly PatchOperation[] {
    if (!this.#isOn) return ops;
    const values = ops.map((operation) => ({
      name: memberOf(operation.path),
      value: 'value' in operation ? operation.value : null,
    }));
    const redacted = this.#replaceAll(values);
    return ops.map((operation, index) =>
      'value' in operation ? { ...operation, value: redacted[index] ?? null } : operation,
    );
  }

  #replaceAll(values: readonly NamedValue[]): Json[] {
    const redaction = this.#redact(values);
    addFound(this.found, redaction.found);
    return redaction.values;
  }
}

/** Returns the name of the member that a path points into: positions in lists do not count. */
function memberOf(path: string): string {
  return parsePointer(path).findLast((segment) => !/^(?:\d+|-)$/.test(segment)) ?? '';
}
