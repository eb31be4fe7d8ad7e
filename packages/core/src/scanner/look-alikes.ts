/**
 * Characters that look like a Latin letter, grouped by that letter. Characters that NFKD already converts are left out.
 */
const lookAlikesByLetter: Record<string, string> = {
  a: 'аαɑᴀ',
  b: 'вβʙƅᏏ',
  c: 'сϲᴄꮯᏟ',
  d: 'ԁđɗᴅꭰᎠ',
  e: 'еεɛєᴇꭼᎬ',
  f: 'ƒꜰẝ',
  g: 'ɡɢᶃԍꮐᏀ',
  h: 'һнħʜհꮋᎻ',
  i: 'іιıɩɪӏꭵ',
  j: 'јϳȷᴊꭻᎫ',
  k: 'кκᴋꮶᏦ',
  l: 'łʟⅼꮮᏞ',
  m: 'мᴍꮇᎷ',
  n: 'ηɴոռ',
  o: 'оοօøᴏ',
  p: 'рρᴘꮲᏢ',
  q: 'ԛգ',
  r: 'гʀꭱᏒ',
  s: 'ѕꜱꮪᏚ',
  t: 'тτŧᴛꭲᎢ',
  u: 'υսᴜμ',
  v: 'νᴠꮩᏙѵ',
  w: 'ωԝᴡꮃᏔѡ',
  x: 'хχ',
  y: 'уγʏүყ',
  z: 'ᴢꮓᏃζ',
  "'": '’‘ʼ＇′',
};

/** Greek capitals that look like a different letter than their lowercase form. */
const greekCapitals: Record<string, string> = { Η: 'h', Ν: 'n', Υ: 'y', Μ: 'm', Ρ: 'p' };

function toMap(): Map<string, string> {
  const map = new Map(Object.entries(greekCapitals));
  for (const [letter, lookAlikes] of Object.entries(lookAlikesByLetter)) {
    for (const character of lookAlikes) map.set(character, letter);
  }
  // Letters in circles, squares and flags, which NFKD does not convert.
  for (const first of [0x1f150, 0x1f170, 0x1f1e6]) {
    for (let index = 0; index < 26; index++) {
      map.set(String.fromCodePoint(first + index), String.fromCharCode(0x61 + index));
    }
  }
  return map;
}

export const lookAlikes: ReadonlyMap<string, string> = toMap();
