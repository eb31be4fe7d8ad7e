const width = 30;

/** Draws one line on standard error and redraws it in place. Prints nothing if standard error is not a terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #visible = process.stderr.isTTY === true;
  #shown = '';

  constructor(label: string) {
    this.#label = label;
  }

  update(done: number, total: number): void {
    if (!this.#visible) return;
    const share = total === 0 ? 1 : done / total;
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    const line = `${this.#label} [${bar}] ${Math.floor(share * 100)} % (${done}/${total})`;
    if (line === this.#shown) return;
    this.#shown = line;
    process.stderr.write(`\r${line}`);
  }

  /** Clears the line so that another can be printed. The next update redraws it. */
  clear(): void {
    if (this.#shown !== '') process.stderr.write('\r\u001b[K');
    this.#shown = '';
  }

  finish(): void {
    if (this.#shown !== '') process.stderr.write('\n');
  }
}
