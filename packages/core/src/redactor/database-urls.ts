import { endOfBareValue } from './bare-value.js';
import { isExamplePassword } from './harmless-text.js';
import type { SecretSpan } from './secret-label.js';

const scheme = /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?)(?:\+[a-z0-9]{1,20})?:\/\/(?=[^\s/])/gi;
const authorityEnd = /[/?#\s]/g;
/** `host`, `host:5432`, `[::1]:5432`. */
const host = /^(?:\[[0-9A-Fa-f:.]*\]|[^:[\]]*)(?::[0-9]*)?$/;
const passwordParameter = /[?&](?:password|passwd|pwd)=[^&\s]/gi;
const sentenceEnd = /[.,;:!?)\]}>]/;

/** Finds whole database URLs that carry a password, either before the host or as a parameter. */
export function findDatabaseUrls(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let run: Run = { end: -1, lastAt: -1, lastParameter: -1 };
  let done = 0;
  for (const match of text.matchAll(scheme)) {
    if (match.index < done) continue;
    const from = match.index + match[0].length;
    if (from > run.end) run = readRun(text, from);
    const end =
      run.lastParameter >= from ? run.end : hasPassword(text, from, run) ? trimSentence(text, run) : undefined;
    if (end === undefined) continue;
    spans.push({ label: 'DB_URL_WITH_CREDENTIALS', start: match.index, end });
    done = run.end;
  }
  return spans;
}

/** Text without whitespace, read once for all the schemes in it. */
interface Run {
  end: number;
  lastAt: number;
  lastParameter: number;
}

function readRun(text: string, from: number): Run {
  const end = endOfBareValue(text, from);
  const content = text.slice(from, end);
  let lastParameter = -1;
  for (const match of content.matchAll(passwordParameter)) lastParameter = from + match.index;
  const at = content.lastIndexOf('@');
  return { end, lastAt: at === -1 ? -1 : from + at, lastParameter };
}

/** Detects `user:password@`. The password may contain an `@` or, against the URL syntax, a slash. */
function hasPassword(text: string, from: number, run: Run): boolean {
  if (run.lastAt < from) return false;
  authorityEnd.lastIndex = from;
  const authority = text.slice(from, Math.min(authorityEnd.exec(text)?.index ?? run.end, run.end));
  const at = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (colon === -1) return false;
  if (at === -1) return !authority.split(',').every((part) => host.test(part));
  return colon < at - 1 && !isExamplePassword(authority.slice(colon + 1, at));
}

/** Excludes punctuation after the URL, which belongs to the sentence, but never anything before the host. */
function trimSentence(text: string, run: Run): number {
  let end = run.end;
  while (end > run.lastAt + 1 && sentenceEnd.test(text.charAt(end - 1))) end--;
  return end;
}
