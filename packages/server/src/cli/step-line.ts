/** Shows on standard error what a command is waiting for, in one line. Prints nothing if standard error is not a terminal. */
export class StepLine {
  #isShown = false;

  show(text: string): void {
    if (process.stderr.isTTY !== true) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K');
    this.#isShown = false;
  }
}
