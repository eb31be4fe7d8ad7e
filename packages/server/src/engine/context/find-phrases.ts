type Phrase = readonly string[];

interface State {
  readonly next: Map<string, State>;
  /** The state of the longest beginning of a phrase that this one's words end with; undefined for the first state. */
  fallback: State | undefined;
  wasReached: boolean;
}

/**
 * Returns which of the phrases occur in a text: whether all of a phrase's words stand next to each other. An empty phrase
 * does not occur. Reads every word once, however often words repeat: the algorithm of Aho and Corasick with words as
 * symbols.
 */
export function findPhrases(words: readonly string[], phrases: readonly Phrase[]): Set<Phrase> {
  const first: State = { next: new Map(), fallback: undefined, wasReached: false };
  const ends = phrases.map((phrase) => ({ phrase, end: add(first, phrase) }));
  const shortestFirst = connect(first);
  let state = first;
  for (const word of words) {
    state = follow(state, word) ?? first;
    state.wasReached = true;
  }
  for (const { wasReached, fallback } of shortestFirst.reverse()) {
    if (wasReached && fallback !== undefined) fallback.wasReached = true;
  }
  return new Set(ends.filter(({ end }) => end !== first && end.wasReached).map(({ phrase }) => phrase));
}

function add(first: State, phrase: Phrase): State {
  let state = first;
  for (const word of phrase) {
    let next = state.next.get(word);
    if (next === undefined) {
      next = { next: new Map(), fallback: first, wasReached: false };
      state.next.set(word, next);
    }
    state = next;
  }
  return state;
}

/** Sets the fallbacks. Returns all states but the first, those of fewer words first. */
function connect(first: State): State[] {
  const states = [...first.next.values()];
  for (const state of states) {
    for (const [word, next] of state.next) {
      next.fallback = follow(state.fallback, word) ?? first;
      states.push(next);
    }
  }
  return states;
}

function follow(from: State | undefined, word: string): State | undefined {
  for (let state = from; state !== undefined; state = state.fallback) {
    const next = state.next.get(word);
    if (next !== undefined) return next;
  }
  return undefined;
}
