const width = 30;

/** On a terminal one bar, redrawn in place; elsewhere one line per step. Both on standard error. */
export class Progress {
  #label;
  #total;
  #done = 0;
  #terminal = process.stderr.isTTY === true;

  /**
   * @param {string} label
   * @param {number} total of all that `advance` will be called for
   */
  constructor(label, total) {
    this.#label = label;
    this.#total = total;
  }

  /**
   * Says what comes next.
   * @param {string} text
   */
  step(text) {
    if (this.#terminal) this.#draw(text);
    else process.stderr.write(`${this.#label}: ${text}\n`);
  }

  /** @param {string} text what just ended; shown on a terminal only */
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
