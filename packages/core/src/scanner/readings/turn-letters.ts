import type { Reading } from './reading.js';

/** Words of the rules in ROT13 and backwards. A text without any of them is not read that way. */
const rotated = /vtaber|qvfertneq|vafgehpgvba|flfgrz|cebzcg|cerivbhf|thvqryvar|bireevqr/i;
const reversed = /erongi|drager?sid|snoitcurtsni|noitcurtsni|tpmorp|suoiverp|senilediug|edirrevo|teg?rof/i;

/** Yields the text with its letters moved by thirteen places or backwards, if it has words that suggest it. */
export function* turnLetters(text: string): Generator<Reading> {
  if (rotated.test(text)) {
    yield { text: text.replace(/[a-zA-Z]/g, (letter) => rotate(letter)), offsetOf: (place) => place };
  }
  if (reversed.test(text)) {
    yield { text: [...text].reverse().join(''), offsetOf: (place) => Math.max(0, text.length - 1 - place) };
  }
}

function rotate(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}
