import { describe, expect, it } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.js';

describe('the protobuf writer', () => {
  it.each([
    ['a small number', new ProtobufWriter().varint(1, 1), '0801'],
    ['a number of two bytes', new ProtobufWriter().varint(1, 150), '089601'],
    ['a negative number', new ProtobufWriter().varint(3, -1), '18ffffffffffffffffff01'],
    ['a field above 15', new ProtobufWriter().varint(20, 7), 'a00107'],
    ['a float', new ProtobufWriter().float32(2, 1), '150000803f'],
    ['text', new ProtobufWriter().text(2, 'testing'), '120774657374696e67'],
    ['a message', new ProtobufWriter().message(3, new ProtobufWriter().varint(1, 150)), '1a03089601'],
  ])('encodes %s', (_, writer, expected) => {
    expect(Buffer.from(writer.toBytes()).toString('hex')).toBe(expected);
  });
});
