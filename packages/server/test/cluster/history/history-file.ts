import { appendFileSync, readFileSync } from 'node:fs';
import type { Operation } from './operation.js';

/** Operations as JSON lines, written when they end. A line that a kill cut off is left out when reading. */
export class HistoryFile {
  constructor(readonly path: string) {}

  record(operation: Operation): void {
    appendFileSync(this.path, `${JSON.stringify(operation)}\n`);
  }

  read(): Operation[] {
    const lines = readFileSync(this.path, 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Operation);
  }
}
