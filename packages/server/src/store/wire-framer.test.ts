import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireFramer } from './wire-framer.js';

function startup(body: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(4 + body.length);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

function message(type: string, body: string): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), startup(body)]);
}

describe('WireFramer', () => {
  it('returns the same messages regardless of how the bytes are split', () => {
    const messages = [startup('user'), message('Q', 'select 1'), message('S', ''), message('B', 'x'.repeat(300))];
    const bytes = Buffer.concat(messages);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const framer = new WireFramer();
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const found = edges.slice(1).flatMap((edge, index) => framer.push(bytes.subarray(edges[index], edge)));
        expect(found.map((part) => part.toString('hex'))).toEqual(messages.map((part) => part.toString('hex')));
      }),
    );
  });
});
