import {
  addFound,
  type FoundSecrets,
  type Json,
  type OptionalLabel,
  type PatchOperation,
  parsePointer,
  redactValues,
} from '@memhall/core';
import type { Binding } from './profile.js';

/** Replaces the secrets in what is written through a binding, if the binding demands it, and counts them. */
export class DocumentSecrets {
  readonly found: FoundSecrets = {};
  readonly #isOn: boolean;
  readonly #also: readonly OptionalLabel[];

  /** @param also what the tenant wants redacted in addition to secrets */
  constructor({ redactsSecrets }: Pick<Binding, 'redactsSecrets'>, also: readonly OptionalLabel[]) {
    this.#isOn = redactsSecrets;
    this.#also = also;
  }

  get count(): number {
    return Object.values(this.found).reduce((sum, count) => sum + count, 0);
  }

  /** `name` is the member that the value belongs to. */
  replaceIn<T extends Json | null>(value: T, name = ''): T {
    if (!this.#isOn || value === null) return value;
    const redaction = redactValues(value, name, this.#also);
    addFound(this.found, redaction.found);
    return redaction.value;
  }

  /** Paths stay as they are. */
  replaceInPatch(ops: readonly PatchOperation[]): readonly PatchOperation[] {
    if (!this.#isOn) return ops;
    return ops.map((operation) =>
      'value' in operation
        ? { ...operation, value: this.replaceIn(operation.value, memberOf(operation.path)) }
        : operation,
    );
  }
}

/** Returns the name of the member that a path points into: positions in lists do not count. */
function memberOf(path: string): string {
  return parsePointer(path).findLast((segment) => !/^(?:\d+|-)$/.test(segment)) ?? '';
}
