/**
 * @typedef {import('./conversations.mjs').Conversation} Conversation
 * @typedef {import('./conversations.mjs').Label} Label
 * @typedef {import('./conversations.mjs').ProposedFact} ProposedFact
 *
 * @typedef {{ proposed: number, right: number, wanted: number, found: number }} Counts
 */

/** Counts proposals by their own kind, and labels by the first kind they accept. */
export class Scores {
  /** @type {Map<string, Counts>} */
  #byKind = new Map();
  /** One line per error. @type {string[]} */
  errors = [];
  /** Number of proposals with words that must never be proposed. */
  forbidden = 0;

  /** @param {Conversation} conversation @param {readonly ProposedFact[]} facts */
  add(conversation, facts) {
    /** @type {Set<Label>} */
    const covered = new Set();
    for (const fact of facts) this.#addProposal(conversation, fact, covered);
    for (const label of conversation.remember) if (!label.optional) this.#addLabel(conversation, label, covered);
  }

  /** @param {Conversation} conversation @param {ProposedFact} fact @param {Set<Label>} covered */
  #addProposal(conversation, fact, covered) {
    const fresh = conversation.remember.filter((label) => !covered.has(label) && covers(fact, label));
    for (const label of fresh) covered.add(label);
    const banned = (conversation.never ?? []).some((words) => contains(fact.text, words));
    const right = fresh.length > 0 && !banned;
    if (banned) this.forbidden += 1;
    if (right && fresh.every(({ optional }) => optional)) return;
    this.#count(fact.kind, { proposed: 1, right: right ? 1 : 0, wanted: 0, found: 0 });
    if (!right) this.errors.push(`${conversation.id} (${conversation.about}) wrong: ${JSON.stringify(fact)}`);
  }

  /** @param {Conversation} conversation @param {Label} label @param {Set<Label>} covered */
  #addLabel(conversation, label, covered) {
    const found = covered.has(label);
    this.#count(label.kind[0] ?? '', { proposed: 0, right: 0, wanted: 1, found: found ? 1 : 0 });
    if (!found) this.errors.push(`${conversation.id} (${conversation.about}) missed: ${JSON.stringify(label)}`);
  }

  /** @param {string} kind @param {Counts} more */
  #count(kind, more) {
    for (const name of ['all', kind]) {
      const counts = this.#byKind.get(name) ?? { proposed: 0, right: 0, wanted: 0, found: 0 };
      for (const key of /** @type {(keyof Counts)[]} */ (Object.keys(more))) counts[key] += more[key];
      this.#byKind.set(name, counts);
    }
  }

  /** Returns the counts by kind, `all` first. */
  result() {
    return [...this.#byKind]
      .sort(([a], [b]) => Number(b === 'all') - Number(a === 'all') || a.localeCompare(b))
      .map(([kind, counts]) => ({
        kind,
        ...counts,
        precision: share(counts.right, counts.proposed),
        recall: share(counts.found, counts.wanted),
      }));
  }
}

/** Returns a share with three decimals; 1 if `whole` is 0. @param {number} part @param {number} whole */
function share(part, whole) {
  return whole === 0 ? 1 : Math.round((1000 * part) / whole) / 1000;
}

/** @param {ProposedFact} fact @param {Label} label */
function covers(fact, label) {
  return (
    label.kind.includes(fact.kind) &&
    label.words.every((words) => contains(fact.text, words)) &&
    label.evidence.every((id) => fact.evidence.includes(id)) &&
    (label.supersedes === undefined
      ? fact.supersedes === undefined
      : contains(fact.supersedes ?? '', label.supersedes)) &&
    (label.occurredOn === undefined || fact.occurredOn?.from === label.occurredOn) &&
    (label.expiresAt === undefined || fact.expiresAt === label.expiresAt)
  );
}

/** @param {string} text @param {string} words */
function contains(text, words) {
  return text.toLowerCase().includes(words.toLowerCase());
}
