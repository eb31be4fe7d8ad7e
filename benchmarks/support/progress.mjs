const width = 30;

/** Shows one bar, redrawn in place, on a terminal; elsewhere one line per step. Writes to standard error. */
export class Progress {
  #label;
  #total;
  #done = 0;
  #terminal = process.stderr.isTTY === true;

  /**
   * @param {string} label
   * @param {number} total number of calls of `advance`
   */
  constructor(label, total) {
    this.#label = label;
    this.#total = total;
  }

  /**
   * Announces the next step.
   * @param {string} text
   */
  step(text) {
    if (this.#terminal) this.#draw(text);
    else process.stderr.write(`${this.#label}: ${text}\n`);
  }

  /** @param {string} text what was just completed; shown only on a terminal */
  advance(text) {
    this.#done++;
    if (this.#terminal) this.#draw(text);
  }

  finish() {
    if (this.#terminal) process.stderr.write('\r\x1b[K');
  }

  /** @param {string} text */
  #draw(text) {
    const share = this.#done / this.#total;
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    process.stderr.write(`\r\x1b[K${this.#label} [${bar}] ${Math.floor(share * 100)} %  ${text}`);
  }
}
