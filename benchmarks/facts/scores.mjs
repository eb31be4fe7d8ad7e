/**
 * @typedef {{ id: string, class: string }} Case
 * @typedef {{ right: number, of: number }} Share
 * @typedef {{ cases: number, facts: number, shares: Record<string, Share>, counts: Record<string, number> }} Line
 */

/** Counts right answers and errors by class. */
export class Scores {
  /** @type {Map<string, Line>} */
  #lines = new Map();
  #seen = new Set();
  /** What went wrong, in words. @type {string[]} */
  errors = [];

  get isEmpty() {
    return this.#seen.size === 0;
  }

  /** Counts one answer. @param {Case} one @param {string} name @param {boolean} isRight @param {string} error */
  count(one, name, isRight, error) {
    for (const line of this.#linesOf(one)) {
      line.shares[name] ??= { right: 0, of: 0 };
      const share = line.shares[name];
      share.of += 1;
      if (isRight) share.right += 1;
    }
    if (!isRight) this.errors.push(`${one.id} ${name}: ${error}`);
  }

  /** Counts errors of one kind. @param {Case} one @param {string} name @param {string[]} errors */
  add(one, name, errors) {
    for (const line of this.#linesOf(one)) line.counts[name] = (line.counts[name] ?? 0) + errors.length;
    for (const error of errors) this.errors.push(`${one.id} ${name}: ${error}`);
  }

  /** @param {Case} one @param {number} facts */
  addFacts(one, facts) {
    for (const line of this.#linesOf(one)) line.facts += facts;
  }

  /** Returns a line for each class, and one for all. */
  result() {
    return Object.fromEntries(this.#lines);
  }

  /** @param {Case} one */
  #linesOf(one) {
    const isNew = !this.#seen.has(one.id);
    this.#seen.add(one.id);
    return [one.class, 'all'].map((name) => {
      const line = this.#lines.get(name) ?? { cases: 0, facts: 0, shares: {}, counts: {} };
      this.#lines.set(name, line);
      if (isNew) line.cases += 1;
      return line;
    });
  }
}
