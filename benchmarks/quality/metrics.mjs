const depths = [5, 10, 50];

/** Averages retrieval metrics over questions. */
export class Scores {
  #questions = 0;
  /** @type {Record<string, number>} */
  #sums = {};

  /**
   * @param {string[]} ranked ids of turns, best first
   * @param {string[]} evidence
   * @param {(id: string) => string} sessionOf
   * @param {string[]} grouped sessions as recall ranks them, best first
   */
  add(ranked, evidence, sessionOf, grouped) {
    this.#questions += 1;
    for (const depth of depths) this.#count(`R@${depth}`, recallAt(ranked, evidence, depth));
    this.#count('nDCG@10', ndcg(ranked, evidence, 10));
    const sessions = [...new Set(ranked.map(sessionOf))];
    const wanted = [...new Set(evidence.map(sessionOf))];
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
