import { endOfBareValue, endsHere } from './bare-value.js';
import { isPlaceholder } from './harmless-text.js';
import { looksOpaque } from './opaque-text.js';
import { anyRedaction, type SecretLabel, type SecretSpan } from './secret-label.js';

/** Endings of the names of secrets. */
const ending = 'API[_-]?KEY|TOKEN|SECRET(?:[_-]?ACCESS)?(?:[_-]?KEY)?|PASSWORD';
const operator = '(?:\\\\{0,4}["\'])?[ \\t]{0,16}(?::=|[?+]?=>?|:)[ \\t]{0,16}';
const assignment = new RegExp(`(${ending})(${operator})(?=[^\\s=])`, 'gi');
const memberName = new RegExp(`(${ending})$`, 'i');
const openingQuote = /\\{0,4}["'`]/y;
const plainValue = /[A-Za-z0-9+/_.~%-]*/y;
const lineEnd = /[\r\n]/g;

/**
 * Finds assignments such as `NAME_API_KEY=value`, including the name. The name must be in capitals; the value can be
 * anything but a variable or a placeholder, and after a colon it must be in quotes.
 */
export function findAssignments(text: string): SecretSpan[] {
  return find(
    text,
    (name, value) => isInCapitals(text, name) && (value.quoted || name.assigned) && !isPlaceholderValue(text, value),
  );
}

/**
 * Finds assignments to names that are often ordinary words (`access_token=`, `"password":`) if the value looks like a
 * secret.
 */
export function findLikelyAssignments(text: string): SecretSpan[] {
  return find(text, (_, value) => looksOpaque(value.quoted ? value.content : plainPart(text, value.start)));
}

function isPlaceholderValue(text: string, { quoted, content, start }: Value): boolean {
  return quoted ? isPlaceholder(content) : isPlaceholder(text, start);
}

interface Name {
  start: number;
  end: number;
  /** Whether the operator contains `=` instead of being a colon. */
  assigned: boolean;
}

interface Value {
  start: number;
  quoted: boolean;
  /** Empty for unquoted values. */
  content: string;
  /** How far the value has been read: the start of an unquoted value, the closing quote of a quoted one. */
  read: number;
}

function find(text: string, isSecret: (name: Name, value: Value) => boolean): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(assignment)) {
    const [whole, last = '', sign = ''] = match;
    // A value can itself look like a name: `A_TOKEN="B_TOKEN": "…"`.
    if (match.index + whole.length <= done) continue;
    const start = startOfName(text, match.index, done);
    const quote = /^\\*["']/.exec(sign)?.[0];
    const name = { start, end: match.index + last.length, assigned: sign.includes('=') };
    const value = readValue(text, match.index + whole.length);
    if (value === undefined || !isSecret(name, value)) continue;
    done = endOfValue(text, value);
    const inQuotes = quote !== undefined && text.endsWith(quote, start);
    spans.push({ label: labelOf(last), start: inQuotes ? start - quote.length : start, end: done });
  }
  return spans;
}

/** Returns the label for the value of a JSON member whose name marks it as a secret, or undefined. */
export function labelOfMember(name: string, value: string): SecretLabel | undefined {
  const [, last] = memberName.exec(name) ?? [];
  if (last === undefined || value.replace(anyRedaction, '') === '' || isPlaceholder(value)) return undefined;
  return name === name.toUpperCase() || looksOpaque(value) ? labelOf(last) : undefined;
}

function labelOf(last: string): SecretLabel {
  if (/^api/i.test(last)) return 'API_KEY';
  return /^token/i.test(last) ? 'TOKEN' : 'SECRET';
}

/** Returns undefined if there is no value. */
function readValue(text: string, start: number): Value | undefined {
  openingQuote.lastIndex = start;
  const quote = openingQuote.exec(text)?.[0];
  if (quote === undefined)
    return endsHere(text, start) ? undefined : { start, quoted: false, content: '', read: start };
  const from = start + quote.length;
  const close = findClose(text, from, quote);
  const content = text.slice(from, close ?? endOfLine(text, from));
  const read = from + content.length + (close === undefined ? 0 : quote.length);
  return content === '' ? undefined : { start, quoted: true, content, read };
}

/** Called only for accepted values. Reading rejected values this far would make the search quadratic. */
function endOfValue(text: string, { quoted, read }: Value): number {
  const goesOn = !quoted || /[^\s,;:)\]}>\\]/.test(text.charAt(read));
  return goesOn ? endOfBareValue(text, read) : read;
}

function plainPart(text: string, start: number): string {
  plainValue.lastIndex = start;
  return plainValue.exec(text)?.[0] ?? '';
}

function startOfName(text: string, from: number, done: number): number {
  let start = from;
  while (start > done && /[A-Za-z0-9_-]/.test(text.charAt(start - 1))) start--;
  const escaped = start < from && text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start));
  return escaped ? start + 1 : start;
}

/** Accepts `MY_TOKEN`, even directly after other letters, but not `myTOKEN`. */
function isInCapitals(text: string, name: Name): boolean {
  let start = name.end;
  while (start > name.start && /[A-Z0-9_]/.test(text.charAt(start - 1))) start--;
  const capitals = text.slice(start, name.end);
  return capitals !== '' && (start === name.start || capitals.includes('_') || text.charAt(start - 1) === '-');
}

/** Returns the position of the closing quote if there is one in the same paragraph. */
function findClose(text: string, from: number, quote: string): number | undefined {
  let at = text.indexOf(quote, from);
  while (at !== -1 && quote.length === 1 && isEscaped(text, at, from)) at = text.indexOf(quote, at + 1);
  return at === -1 || text.slice(from, at).includes('\n\n') ? undefined : at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charAt(at - slashes - 1) === '\\') slashes++;
  return slashes % 2 === 1;
}

function endOfLine(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? text.length;
}
