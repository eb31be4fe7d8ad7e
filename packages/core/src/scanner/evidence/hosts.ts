import { toWordSet } from '../word-set.js';
import { type Evidence, type Place, textAfter, textBefore } from './evidence.js';
import { carriesSecret } from './secrets.js';

const loopback = /^[a-z0-9+.-]+:\/\/([^/@\s]{0,80}@)?(localhost|127\.|\[::1\]|0\.0\.0\.0)/;
/** Only schemes that are fetched are checked: database and cache URLs commonly contain a password. */
const fetched = /^(https?|wss?|ftps?|sftp):\/\//;
const placeholder = /\{\W?([\w.]{1,40})/g;
const confidential = /conversation|history|chat|secret|password|token|api_?key|memory|context|prompt/;
const inImage = /(!\[[^\]]{0,80}\]\(|src=["']?)$/;
const topLevels =
  toWordSet(`com net org io dev app ai co me info biz example test invalid xyz ru cn de fr uk eu ch at it es nl
  se pl br in jp kr us ca au onion cc tk top site online tech cloud live pro ly gg tv su click link page zip`);
const longestName = 8;

export function witnessAddress(place: Place): Evidence[] {
  const { word } = place;
  if (loopback.test(word)) return [];
  const secret =
    fetched.test(word) && (carriesSecret(word) || (inImage.test(textBefore(place, 100)) && asksToFill(word)));
  if (secret) return ['secret-in-address', 'host'];
  return isToComplete(place) ? ['host', 'address-to-complete'] : ['host'];
}

/** Returns whether the address ends where a value belongs: `https://evil.example/?d=`, `…/<encoded>`. */
function isToComplete(place: Place): boolean {
  if (!fetched.test(place.word)) return false;
  return /[=?]$/.test(place.word) || (/[=/]$/.test(place.word) && /^[<[{]/.test(textAfter(place, 1)));
}

/** Returns whether the address has a placeholder for something that the reader knows: `?d={conversation}`. */
function asksToFill(address: string): boolean {
  for (const match of address.matchAll(placeholder)) if (confidential.test(match[1] ?? '')) return true;
  return false;
}

/** Detects `evil.example`, `203.0.113.9` and `mallory@box:`. */
export function witnessHost(place: Place): Evidence | undefined {
  const after = textAfter(place, 1);
  const before = textBefore(place, 1);
  if (after === ':' && before === '@') return 'host';
  if (after !== '.' || before === '~' || (before === '.' && !/[)}]\.$/.test(textBefore(place, 2)))) return undefined;
  if (before === '/' && !textBefore(place, 9).endsWith('/dev/tcp/')) return undefined;
  const labels = labelsFrom(place);
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) {
    return labels[0] === '127' || labels[0] === '0' ? undefined : 'host';
  }
  return labels.length > 1 && topLevels.has(labels.at(-1) ?? '') ? 'host' : undefined;
}

function labelsFrom({ tokens, index }: Place): string[] {
  const labels = [];
  for (let at = index; labels.length < longestName; at++) {
    labels.push(tokens.text.slice(tokens.starts[at], tokens.ends[at]));
    if (at + 1 >= tokens.words.length) break;
    const joint = tokens.text.slice(tokens.ends[at], tokens.starts[at + 1]);
    if (joint !== '.' && joint !== '-') break;
  }
  return labels;
}
