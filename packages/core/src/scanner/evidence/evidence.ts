import type { Tokens } from '../tokenise.js';

/** Evidence that a line can contain. The command rules define which pieces must occur together. */
export type Evidence =
  | 'address-to-complete'
  | 'autorun-written'
  | 'environment'
  | 'host'
  | 'key-list'
  | 'key-list-written'
  | 'key-material'
  | 'login-written'
  | 'order-to-send'
  | 'order-to-schedule'
  | 'order-to-write'
  | 'piped-into-shell'
  | 'private-data'
  | 'privileges-file'
  | 'privileges-granted'
  | 'privileges-written'
  | 'remote-shell'
  | 'schedule-written'
  | 'scheduled-download'
  | 'secret-file'
  | 'secret-in-address'
  | 'secret-in-header'
  | 'secret-in-words'
  | 'secret-variable'
  | 'sender'
  | 'sender-in-code'
  | 'startup-written'
  | 'uploader';

/** A word and its position. Witnesses look only a bounded distance around it, so that scanning stays linear. */
export interface Place {
  tokens: Tokens;
  index: number;
  word: string;
}

export type Witness = (place: Place) => Evidence | undefined;

const reach = 160;
const endsPath = new Uint8Array(128);
for (const sign of ' \t\r\n"\'`<>|;&()=') endsPath[sign.charCodeAt(0)] = 1;

export function textBefore({ tokens, index }: Place, length = reach): string {
  const start = tokens.starts[index] ?? 0;
  return tokens.text.slice(Math.max(0, start - length), start);
}

export function textAfter({ tokens, index }: Place, length = reach): string {
  const end = tokens.ends[index] ?? 0;
  return tokens.text.slice(end, end + length);
}

/** Returns the text before the path that the word belongs to. */
export function textBeforePath(place: Place): string {
  const before = textBefore(place);
  let end = before.length;
  while (end > 0 && endsPath[before.charCodeAt(end - 1)] !== 1) end--;
  return before.slice(0, end);
}
