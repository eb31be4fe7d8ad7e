type Fields = Readonly<Record<string, unknown>>;

const levels: Readonly<Record<number, { name: string; colour: number }>> = {
  10: { name: 'trace', colour: 2 },
  20: { name: 'debug', colour: 2 },
  30: { name: 'info ', colour: 32 },
  40: { name: 'warn ', colour: 33 },
  50: { name: 'error', colour: 31 },
  60: { name: 'fatal', colour: 31 },
};
const controls = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns a line of the JSON log for people to read: time, level, message and fields, with an error below. */
export function toReadableLine(line: string, hasColours: boolean): string {
  const { level, time, service: _service, msg, error, ...fields } = JSON.parse(line) as Fields;
  const paint = (code: number, text: string) => (hasColours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const { name, colour } = levels[Number(level)] ?? { name: String(level), colour: 0 };
  const details = Object.entries(fields).map(([field, value]) => `${field}=${toText(value)}`);
  const head = [
    paint(2, String(time).slice(11, 23)),
    paint(colour, name),
    escapeControls(String(msg ?? '')),
    ...details,
  ];
  return [head.join(' '), ...toErrorLines(error).map((one) => paint(2, `  ${one}`)), ''].join('\n');
}

function toErrorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return error === undefined ? [] : [toText(error)];
  const { type, code, message, stack, cause } = error as Fields;
  const head = [type, code && `(${code})`, message && `: ${message}`].filter(Boolean).join('');
  const below =
    cause === undefined ? [] : toErrorLines(cause).map((line, index) => `${index === 0 ? 'caused by ' : ''}${line}`);
  return [escapeControls(head), ...(Array.isArray(stack) ? stack.map((line) => `  ${toText(line)}`) : []), ...below];
}

function toText(value: unknown): string {
  if (typeof value !== 'string') return escapeControls(JSON.stringify(value));
  return escapeControls(/^[^\s"=]+$/.test(value) || value.startsWith('at ') ? value : JSON.stringify(value));
}

/** A terminal must not obey what was logged. */
function escapeControls(text: string): string {
  return text.replace(controls, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
