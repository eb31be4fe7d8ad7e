import { foldText } from './fold-text.js';
import { tokenise } from './tokenise.js';

interface WordNode<T> {
  next: Map<string, WordNode<T>>;
  values: T[];
}

/** A tree of phrases, so that a text is read only once regardless of their number. */
export class WordTree<T> {
  readonly root: WordNode<T> = { next: new Map(), values: [] };
  /** Every word of every phrase. */
  readonly words = new Set<string>();

  /** Adds a value at the end of a phrase, which is folded like the text that is scanned. */
  add(phrase: string, value: T): void {
    let node = this.root;
    for (const word of tokenise(foldText(phrase)).words) {
      this.words.add(word);
      let next = node.next.get(word);
      if (next === undefined) {
        next = { next: new Map(), values: [] };
        node.next.set(word, next);
      }
      node = next;
    }
    node.values.push(value);
  }
}
