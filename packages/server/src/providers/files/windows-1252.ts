/** The characters of the bytes 0x80 to 0x9F. A space stands for a byte that is not assigned. */
const assigned = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const unassigned = /[\u0081\u008d\u008f\u0090\u009d]/;

const capitals = 'À-ÖØ-ÞŠŒŽŸ';
const letters = `${capitals}ß-öø-ÿšœžƒªº`;
/** What may stand between letters: apostrophes, dashes, points, a soft hyphen, a space, and µ. */
const signsInWords = '…‘’–—\u00a0\u00ad´·µ';
/** What does not occur in the languages that are written with Windows-1252, but does if another encoding is read as it. */
const oddities = [
  new RegExp(`[${letters}]{3,}`, 'gu'),
  new RegExp(`(?<=\\p{L})[^\\p{ASCII}${letters}${signsInWords}]+(?=\\p{L})`, 'gu'),
  new RegExp(`(?<=\\p{Ll})[${capitals}]`, 'gu'),
];
const mostOddities = 0.1;

/** Returns undefined if the bytes are probably not text in Windows-1252. Only for bytes that are not UTF-8. */
export function decodeWindows1252(bytes: Buffer): string | undefined {
  if (bytes.includes(0) || looksLikeDamagedUtf8(bytes)) return undefined;
  const latin1 = bytes.toString('latin1');
  if (unassigned.test(latin1)) return undefined;
  const text = latin1.replace(/[\u0080-\u009f]/g, (control) => assigned[control.charCodeAt(0) - 0x80] ?? control);
  const special = lengthOfMatches(text, /\P{ASCII}+/gu);
  const odd = oddities.reduce((sum, oddity) => sum + lengthOfMatches(text, oddity), 0);
  return odd <= special * mostOddities ? text : undefined;
}

/** UTF-8 with a few broken characters has more whole ones. Text in Windows-1252 has hardly any. */
function looksLikeDamagedUtf8(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  const broken = lengthOfMatches(text, /\ufffd/g);
  return lengthOfMatches(text, /[^\p{ASCII}\ufffd]/gu) > broken;
}

function lengthOfMatches(text: string, pattern: RegExp): number {
  let length = 0;
  for (const [match] of text.matchAll(pattern)) length += match.length;
  return length;
}
