import { open } from 'node:fs/promises';
import type { SignedHead } from '@memhall/core';
import { type HeadWitness, WitnessError } from '../../ports/head-witness.js';

/** Appends each head to a file, as one line of JSON. */
export class FileWitness implements HeadWitness {
  readonly address: string;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.address = `file:${path}`;
  }

  async send(head: SignedHead): Promise<void> {
    try {
      const file = await open(this.#path, 'a', 0o644);
      try {
        await file.appendFile(`${JSON.stringify(head)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new WitnessError(`The file ${this.#path} cannot be written (${code}): check its owner and permissions.`);
    }
  }
}
