import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonRecord, readJsonRecords } from './json-records.js';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, form: 'whole' | 'lines' = 'whole', size = 7): Promise<JsonRecord[]> {
  const records: JsonRecord[] = [];
  for await (const record of readJsonRecords('x.json', inChunks(text, size), form)) records.push(record);
  return records;
}

const chunkSize = fc.integer({ min: 1, max: 9 });
const indent = fc.constantFrom(undefined, 1, '\t');

describe('readJsonRecords', () => {
  it('yields the elements of any array, however it is chunked and indented', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), chunkSize, indent, async (values, size, space) => {
        const records = await read(JSON.stringify(values, null, space), 'whole', size);
        expect(records.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)));
        expect(records.map(({ number }) => number)).toEqual(values.map((_, index) => index + 1));
      }),
      { numRuns: 200 },
    );
  });

  it('yields the members of any object, and the elements of those that are arrays', async () => {
    const object = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(object, chunkSize, indent, async (members, size, space) => {
        const records = await read(JSON.stringify(members, null, space), 'whole', size);
        const expected = Object.entries(JSON.parse(JSON.stringify(members))).flatMap(([under, value]) =>
          [value].flat(1).map((one) => ({ under, value: one })),
        );
        expect(records.map(({ under, value }) => ({ under, value }))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('yields the lines of JSON Lines, blank lines left out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), chunkSize, async (values, size) => {
        const text = values.map((value) => `${JSON.stringify(value)}\r\n\n`).join('');
        const records = await read(text, 'lines', size);
        expect(records.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
      { numRuns: 200 },
    );
    expect(await read('{"a": 1}\n{"a": 2}', 'lines')).toMatchObject([{ value: { a: 1 } }, { value: { a: 2 } }]);
  });

  it('passes over what is broken by itself', async () => {
    expect(await read('[1, tru, {"a": 2}]')).toMatchObject([
      { value: 1 },
      { fault: 'not valid JSON' },
      { value: { a: 2 } },
    ]);
    expect(await read('{"a": 1\n"b"]\n"c"\n', 'lines')).toMatchObject([
      { fault: 'not valid JSON' },
      { fault: 'not valid JSON' },
      { value: 'c' },
    ]);
  });

  it('passes over what is nested deeply or too large, without keeping it', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await read(`[1, ${deep}, 2]`, 'whole', 4096)).toMatchObject([
      { value: 1 },
      { fault: 'nested more than 100 levels deep' },
      { value: 2 },
    ]);
    async function* large() {
      yield Buffer.from('["');
      for (let part = 0; part < 70; part++) yield Buffer.alloc(1024 * 1024, 'a');
      yield Buffer.from('", 2]');
    }
    const records: JsonRecord[] = [];
    for await (const record of readJsonRecords('x.json', large(), 'whole')) records.push(record);
    expect(records).toMatchObject([{ fault: 'larger than 64 MiB' }, { value: 2 }]);
  });

  it.each([
    ['', 'x.json is empty.'],
    ['  \n', 'x.json is empty.'],
    ['hello', 'x.json is not JSON: it begins with neither { nor [.'],
    ['[1, {"a": ', 'x.json is cut off: its JSON does not end. Export it again.'],
    ['{"a": [1', 'x.json is cut off: its JSON does not end. Export it again.'],
    ['{"a": 1}\n{"a": 2}', 'x.json goes on after its end. If it has one value a line, call it ….jsonl.'],
    ['{1: 2}', 'x.json is not valid JSON. Export it again.'],
    ['[}', 'x.json is not valid JSON. Export it again.'],
  ])('refuses %j as a whole', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
