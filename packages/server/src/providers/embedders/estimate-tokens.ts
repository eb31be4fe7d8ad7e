import { MINILM_MAX_TOKENS } from './minilm-model.js';

const SPECIAL_TOKENS = 2;
const ASCII_CHARACTERS_PER_TOKEN = 4;

/** Returns a cheap estimate of the number of word pieces in a text; used only to batch texts of similar length. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length && other < MINILM_MAX_TOKENS; i++) {
    if (text.charCodeAt(i) < 0x80) ascii += 1;
    else other += 1;
  }
  return Math.min(MINILM_MAX_TOKENS, SPECIAL_TOKENS + other + Math.ceil(ascii / ASCII_CHARACTERS_PER_TOKEN));
}
