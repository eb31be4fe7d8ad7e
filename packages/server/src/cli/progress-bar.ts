const width = 30;
const redrawMs = 1000;

/** Draws one line on standard error and redraws it in place, once a second. Prints nothing if standard error is not a terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #visible = process.stderr.isTTY === true;
  #line = '';
  #shown = '';
  #drawnAtMs = 0;

  constructor(label: string) {
    this.#label = label;
  }

  update(done: number, total: number): void {
    if (!this.#visible) return;
    const share = total === 0 ? 1 : done / total;
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    this.#line = `${this.#label} [${bar}] ${Math.floor(share * 100)} % (${done}/${total})`;
    if (Date.now() - this.#drawnAtMs >= redrawMs) this.#draw();
  }

  /** Clears the line so that another can be printed. The next update redraws it. */
  clear(): void {
    if (this.#shown !== '') process.stderr.write('\r\u001b[K');
    this.#shown = '';
    this.#drawnAtMs = 0;
  }

  finish(): void {
    if (!this.#visible || this.#line === '') return;
    this.#draw();
    process.stderr.write('\n');
  }

  #draw(): void {
    if (this.#line === this.#shown) return;
    this.#shown = this.#line;
    this.#drawnAtMs = Date.now();
    process.stderr.write(`\r${this.#line}`);
  }
}
