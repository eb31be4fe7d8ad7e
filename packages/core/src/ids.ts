/** Ids chosen by callers. An endpoint may allow a shorter maximum length. */
export const idPattern = '^[A-Za-z0-9._:@-]{1,128}$';

const idExpression = new RegExp(idPattern);

export function isId(value: unknown): value is string {
  return typeof value === 'string' && idExpression.test(value);
}

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. Sorts by creation time, to the millisecond. */
export function uuidv7(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(nowMs / 2 ** 32));
  view.setUint32(2, nowMs >>> 0);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** ULID: 48 bits of milliseconds, then 80 random bits, in 26 characters. Sorts by creation time, to the millisecond. */
export function ulid(nowMs: number = Date.now()): string {
  let time = '';
  for (let rest = nowMs, place = 0; place < 10; place++, rest = Math.floor(rest / 32))
    time = crockford[rest % 32] + time;
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => crockford[byte % 32]);
  return time + random.join('');
}
