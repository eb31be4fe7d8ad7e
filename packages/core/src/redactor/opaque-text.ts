/** For each letter, the letters that follow it in nearly all words of English prose and program text. */
const successors: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvwxyz',
  b: 'aeijlorstuy',
  c: 'acehiklorstuy',
  d: 'adegilmorsuy',
  e: 'abcdefghijlmnopqrstuvwxy',
  f: 'aefilorstuy',
  g: 'aeghilmnorsu',
  h: 'aeimortu',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeins',
  l: 'adefilopstuvy',
  m: 'abeilmopsu',
  n: 'acdefghijklnopstuvy',
  o: 'abcdefgiklmnoprstuvwx',
  p: 'aeghilmoprstuy',
  q: 'u',
  r: 'abcdefgiklmnoprstuvwy',
  s: 'acefhiklmnopstuwy',
  t: 'acdefghiloprstuwy',
  u: 'abcdefgilmnoprst',
  v: 'aeio',
  w: 'aehinors',
  x: 'aceipt',
  y: 'eilmnopst',
  z: 'aeio',
};
const word = /[A-Z]?[a-z]+/g;
const littleWords = new Set(
  'an as at be by db do go id if in io is it js me my no of on or so to ts ui up us we'.split(' '),
);
const longestWord = 20;
const shortPiece = 6;
/** Matches `src`, `Main` and `HTTP2`, but not `x7Kq`. */
const plainShort = /^(?:[A-Z]?[a-z]*|[A-Z]*)[0-9]*$/;

/** Returns whether letters and digits are neither joined words (`getUserById2`), nor a number, nor a digest. */
export function isOpaquePiece(piece: string): boolean {
  if (piece.length < shortPiece) return piece.length > 2 && !plainShort.test(piece);
  return !/^(?:0x)?[0-9a-fA-F]+$/.test(piece) && !isMostlyWords(piece);
}

/** Returns whether a value can only be a secret: not short, not a number and not words. */
export function looksOpaque(value: string): boolean {
  return value.length >= 8 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !isMostlyWords(value);
}

/** Returns whether at least three quarters of a text, ignoring a trailing number, could be words. */
export function isMostlyWords(text: string): boolean {
  const named = text.replace(/[0-9]{1,4}$/, '');
  let count = 0;
  for (const [part] of named.matchAll(word)) if (couldBeWord(part.toLowerCase())) count += part.length;
  return count >= named.length * 0.75;
}

function couldBeWord(part: string): boolean {
  if (part.length < 3) return littleWords.has(part);
  if (part.length > longestWord || !/[aeiouy]/.test(part)) return false;
  let unusual = 0;
  for (let at = 1; at < part.length; at++) {
    if (successors[part.charAt(at - 1)]?.includes(part.charAt(at)) !== true) unusual++;
  }
  return unusual <= part.length / 6;
}
