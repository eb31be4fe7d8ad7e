import { redactedBefore, type SecretSpan } from './secret-label.js';

const marker = /-{4,5} ?(BEGIN|END) ([A-Z0-9 ]{0,40}?)PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
/** Line ends, also as escaped by JSON or by JSON inside JSON. */
const breaks = '(?:\\\\{1,4}[rn]|[\\r\\n]|[ \\t])*';
const headerLine = '(?:Proc-Type|DEK-Info|Version|Comment):[^\\r\\n\\\\]{0,200}';
const bodyLine = '[A-Za-z0-9+/=]+(?=\\\\{1,4}[rn]|[\\r\\n]|[ \\t]*$|-{4}|["\'`])';
const longRun = '[A-Za-z0-9+/=]{24,}';
const bodyPart = new RegExp(`${breaks}(?:${headerLine}|${bodyLine}|${longRun})`, 'y');

interface Marker {
  begins: boolean;
  openSsh: boolean;
  start: number;
  end: number;
}

/** Finds whole PEM blocks. If the start or end of a block is missing, finds the lines that look like its body. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const markers = [...text.matchAll(marker)].map(toMarker);
  for (const [number, here] of markers.entries()) {
    const next = markers[number + 1];
    const last = spans.at(-1)?.end ?? 0;
    if (here.start < last) continue;
    const whole = here.begins && next?.begins === false && !text.slice(here.end, next.start).includes(redactedBefore);
    const start = here.begins
      ? here.start
      : startOfBody(text, here.start, Math.max(last, markers[number - 1]?.end ?? 0));
    const end = whole ? next.end : here.begins ? endOfBody(text, here.end) : here.end;
    if (start === here.start && end === here.end) continue;
    spans.push({ label: here.openSsh ? 'OPENSSH_PRIVATE_KEY' : 'PRIVATE_KEY', start, end });
  }
  return spans;
}

function toMarker(match: RegExpExecArray): Marker {
  const [whole, kind, type = ''] = match;
  return {
    begins: kind === 'BEGIN',
    openSsh: type.includes('OPENSSH'),
    start: match.index,
    end: match.index + whole.length,
  };
}

function endOfBody(text: string, from: number): number {
  let end = from;
  bodyPart.lastIndex = end;
  while (bodyPart.test(text)) {
    end = bodyPart.lastIndex;
  }
  return end;
}

/** Goes backwards over lines of Base64, but not past `floor`. */
function startOfBody(text: string, from: number, floor: number): number {
  let start = from;
  for (;;) {
    let at = start;
    while (at > floor && /[\s]/.test(text.charAt(at - 1))) at--;
    while (at > floor + 1 && /[nr]/.test(text.charAt(at - 1)) && text.charAt(at - 2) === '\\') at -= 2;
    const end = at;
    while (at > floor && /[A-Za-z0-9+/=]/.test(text.charAt(at - 1))) at--;
    if (text.charAt(at - 1) === '\\' && at < end && /[nr]/.test(text.charAt(at))) at++;
    const startsLine = at <= floor || /[\r\n"'`]/.test(text.charAt(at - 1)) || /\\[nr]$/.test(text.slice(at - 2, at));
    if (at === end || !(startsLine || end - at >= 24)) return start;
    start = at;
  }
}
