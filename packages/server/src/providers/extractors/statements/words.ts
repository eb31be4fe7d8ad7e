/** A word of a clause. Contractions are two words that share a place: `I'm` is `I` and `am`. */
export interface Word {
  text: string;
  lower: string;
  /** Place in the clause. */
  start: number;
  end: number;
  /** Whether a comma or another mark stands between this word and the next one. */
  isFollowedByMark: boolean;
}

const wordPattern = /[\p{L}\p{M}\p{N}@+#&][\p{L}\p{M}\p{N}'@.+#&/_-]*/gu;

const title = /^(?:mr|mrs|ms|dr|prof|st|hr|fr|sr|sra)$/;

/** What follows the apostrophe, as a word of its own. */
const endings: Readonly<Record<string, string>> = { m: 'am', ve: 'have', ll: 'will', re: 'are', d: "'d", s: "'s" };
const withoutApostrophe: Readonly<Record<string, string>> = {
  im: "i'm",
  ive: "i've",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  wasnt: "wasn't",
  wont: "won't",
  havent: "haven't",
};
const negated: Readonly<Record<string, string>> = { "won't": 'will', "can't": 'can', cannot: 'can', "shan't": 'shall' };

/** Returns the words of a text with straight apostrophes. */
export function toWords(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(wordPattern)) {
    const last = words.at(-1);
    if (last !== undefined) {
      const between = text.slice(end, match.index);
      last.isFollowedByMark = /[^\s'"()“”]/u.test(title.test(last.lower) ? between.replace('.', '') : between);
    }
    const written = match[0].replace(/[.'/-]+$/u, '');
    end = match.index + written.length;
    for (const part of split(written)) {
      words.push({ text: part, lower: part.toLowerCase(), start: match.index, end, isFollowedByMark: false });
    }
  }
  const last = words.at(-1);
  if (last !== undefined) last.isFollowedByMark = true;
  return words;
}

function split(written: string): string[] {
  const lower = written.toLowerCase();
  const known = Object.hasOwn(withoutApostrophe, lower) ? (withoutApostrophe[lower] ?? written) : written;
  const word = known.toLowerCase();
  if (Object.hasOwn(negated, word)) return [negated[word] ?? '', 'not'];
  if (word.endsWith("n't") && word.length > 3) return [known.slice(0, -3), 'not'];
  const apostrophe = known.lastIndexOf("'");
  const ending = apostrophe < 1 ? undefined : endings[word.slice(apostrophe + 1)];
  return ending === undefined ? [known] : [known.slice(0, apostrophe), ending];
}

/** Whether a word is written like a name. */
export function isCapitalised({ text }: Word): boolean {
  return /^[\p{Lu}\p{Lt}]|^[\p{Ll}]\p{Lu}|^\p{N}+\p{Lu}/u.test(text) && text !== 'I';
}
