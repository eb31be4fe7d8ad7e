const sentenceEnd = /(?<=[.!?…;])\s+|\n+/u;
/** Words that join two statements, in the languages of the extraction rules. */
const joint = /,? (?:and|but|because|while|although|und|aber|weil|y|pero|porque|et|mais) /iu;
const word = /[\p{L}\p{N}]+/gu;
/** "Fish and chips" is one thing. */
const wordsAfterJoint = 3;

/**
 * Returns how many things a text says, at least 1: its sentences, and parts of a sentence that are joined. Rather too many than too few,
 * because a memory that says more than its facts is never left out with them.
 */
export function countStatements(text: string): number {
  const count = text
    .split(sentenceEnd)
    .filter((sentence) => countWords(sentence) >= 2)
    .reduce((sum, sentence) => sum + 1 + countJoined(sentence), 0);
  return Math.min(Math.max(1, count), 1000);
}

function countJoined(sentence: string): number {
  return sentence
    .replaceAll(/\s+/gu, ' ')
    .split(joint)
    .slice(1)
    .filter((part) => countWords(part) >= wordsAfterJoint).length;
}

function countWords(text: string): number {
  return text.match(word)?.length ?? 0;
}
