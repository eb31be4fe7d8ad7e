import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readKey } from './read-key.js';

const read = (text: string) => readKey(Buffer.from(text));

describe('the key of a body', () => {
  it('is found wherever its members stand, in any JSON object', () => {
    const other = fc.dictionary(
      fc.string().filter((name) => !['user_id', 'user_key', '__proto__'].includes(name)),
      fc.jsonValue(),
      { maxKeys: 8 },
    );
    fc.assert(
      fc.property(other, fc.string(), other, fc.string(), fc.nat(3), (before, userId, between, userKey, indent) => {
        const body = { ...before, user_id: userId, ...between, user_key: userKey };
        expect(read(JSON.stringify(body, null, indent))).toEqual({ userId, userKey });
      }),
    );
  });

  it('may be written with escapes', () => {
    expect(read('{"\\u0075ser_id": "\\u0061\\n", "user\\u005fkey": "\\ud83e\\uddad"}')).toEqual({
      userId: 'a\n',
      userKey: '🦭',
    });
  });

  it('is found without looking at the rest', () => {
    const key = '"user_id":"a","user_key":"b"';
    for (const body of [`{${key},`, `{${key},"x":[1 2}}`, `{"x":[1 2 "} ] \\\\\\" "],${key}}}`]) {
      expect(read(body), body).toEqual({ userId: 'a', userKey: 'b' });
    }
  });

  it('is refused if it is too long, or comes after too many other members', () => {
    const tooLong = '"user_id" must have at most 1024 characters.';
    expect(() => read(`{"user_id":"${'a'.repeat(1025)}"}`)).toThrow(tooLong);
    expect(() => read(`{"user_id":"${'a'.repeat(100_000)}"}`)).toThrow(tooLong);
    expect(() => read(`{${'"":0,'.repeat(101)}"user_id":"a"}`)).toThrow('The body has too many members.');
  });

  it.each<[string, string]>([
    ['[]', 'The body must be an object.'],
    ['"user_id"', 'The body must be an object.'],
    [' ', 'The body must be an object.'],
    ['{}', '"user_id" is required.'],
    ['{"user_id":"a"}', '"user_key" is required.'],
    ['{"x":{"user_id":"a","user_key":"b"}}', '"user_id" is required.'],
    ['{"user_id":1,"user_key":"b"}', '"user_id" must be a string.'],
    ['{"user_id":{},"user_key":"b"}', '"user_id" must be a string.'],
    ['{"user_id":["a"],"user_key":"b"}', '"user_id" must be a string.'],
    ['{"user_id"', 'The body is not valid JSON.'],
    ['{"user_id":"a', 'The body is not valid JSON.'],
    ['{"user_id":"a\\', 'The body is not valid JSON.'],
    ['{"user_id":"a\n"}', 'The body is not valid JSON.'],
    ['{"user_id":"a" "user_key":"b"}', 'The body is not valid JSON.'],
    ['{user_id:"a"}', 'The body is not valid JSON.'],
    ['{,}', 'The body is not valid JSON.'],
    ['{"x":[', 'The body is not valid JSON.'],
    ['{', 'The body is not valid JSON.'],
  ])('is missed in %s', (body, message) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message }));
  });
});
