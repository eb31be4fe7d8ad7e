const depths = [5, 10, 50];

/** Averages retrieval metrics over questions. */
export class Scores {
  #questions = 0;
  /** @type {Record<string, number>} */
  #sums = {};

  /**
   * @param {object} question
   * @param {string[]} question.ranked ids of turns or sessions, as the evidence is, best first
   * @param {string[]} question.evidence
   * @param {string[]} question.sessions in the order of their best turns
   * @param {string[]} question.grouped sessions as recall ranks them, best first
   * @param {string[]} question.wanted sessions of the evidence
   */
  add({ ranked, evidence, sessions, grouped, wanted }) {
    this.#questions += 1;
    for (const depth of depths) this.#count(`R@${depth}`, recallAt(ranked, evidence, depth));
    this.#count('nDCG@10', ndcg(ranked, evidence, 10));
    this.#count('session R@5', recallAt(sessions, wanted, 5));
    this.#count('grouped R@5', recallAt(grouped, wanted, 5));
    this.#count('grouped nDCG@10', ndcg(grouped, wanted, 10));
  }

  /** Returns percentages with one decimal. @returns {Record<string, number>} */
  result() {
    const entries = Object.entries(this.#sums).map(([name, sum]) => [
      name,
      Math.round((1000 * sum) / this.#questions) / 10,
    ]);
    return { questions: this.#questions, ...Object.fromEntries(entries) };
  }

  /** @param {string} name @param {number} value */
  #count(name, value) {
    this.#sums[name] = (this.#sums[name] ?? 0) + value;
  }
}

/** @param {string[]} ranked @param {string[]} wanted @param {number} depth */
function recallAt(ranked, wanted, depth) {
  const first = new Set(ranked.slice(0, depth));
  return wanted.filter((id) => first.has(id)).length / wanted.length;
}

/** nDCG with binary gains. @param {string[]} ranked @param {string[]} wanted @param {number} depth */
function ndcg(ranked, wanted, depth) {
  const gain = (/** @type {number} */ place) => 1 / Math.log2(place + 2);
  const found = ranked.slice(0, depth).reduce((sum, id, place) => sum + (wanted.includes(id) ? gain(place) : 0), 0);
  let ideal = 0;
  for (let place = 0; place < Math.min(wanted.length, depth); place++) ideal += gain(place);
  return found / ideal;
}
