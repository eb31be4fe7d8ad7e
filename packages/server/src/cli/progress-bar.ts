const width = 30;

/** One line on standard error, redrawn in place; silent where nobody watches. */
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

  /** Makes room for another line; the next update draws it again. */
  clear(): void {
    if (this.#shown !== '') process.stderr.write('\r\u001b[K');
    this.#shown = '';
  }

  finish(): void {
    if (this.#shown !== '') process.stderr.write('\n');
  }
}
