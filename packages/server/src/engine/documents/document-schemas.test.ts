import type { Json } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { WorkerThreads } from '../../providers/threads/worker-threads.js';
import { withSlowResults } from '../slow-results.js';
import { DocumentSchemas } from './document-schemas.js';

const limits = { timeoutMs: 60_000, memoryMegabytes: 256, concurrency: 2 };
const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const registered = (schema: Json) => ({ schemaId: 's', version: '1', schema, hash: JSON.stringify(schema) });
/** Takes too many steps for the event loop, but not for a thread. */
const laborious = { items: { allOf: [{ properties: Object.fromEntries(names(300).map((name) => [name, {}])) }] } };
const empty = (count: number) => Array.from({ length: count }, () => ({}));
/** Larger than what can be registered. */
const oversized = { type: 'array', items: { required: names(12_000) } };

function validate(schemas: DocumentSchemas, schema: ReturnType<typeof registered>, content: Json): Promise<void> {
  return withSlowResults(async (slow) => schemas.validate(slow, schema, content));
}

describe('checking documents', () => {
  const schemas = new DocumentSchemas(new WorkerThreads(limits));

  /** Resolves to whether the event loop went on while the check was running. */
  async function staysResponsive(check: Promise<unknown>): Promise<boolean> {
    let isRunning = true;
    const done = check.then(
      () => undefined,
      () => undefined,
    );
    void done.then(() => {
      isRunning = false;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const wasRunning = isRunning;
    await done;
    return wasRunning;
  }

  it('happens at once if it takes few steps', async () => {
    const check = validate(schemas, registered({ type: 'array', items: { type: 'object' } }), empty(1000));
    expect(await staysResponsive(check)).toBe(false);
    await expect(check).resolves.toBeUndefined();
  });

  it('goes on in a thread if it takes many steps', async () => {
    const check = validate(schemas, registered(laborious), empty(5000));
    expect(await staysResponsive(check)).toBe(true);
    await expect(check).resolves.toBeUndefined();
    const wrong = validate(schemas, registered({ ...laborious, maxItems: 1 }), empty(5000));
    await expect(wrong).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      details: { faults: [{ pointer: '/content', rule: 'maxItems' }], fault_count: 1 },
    });
  });

  it('works in a thread for schemas that are older than the limits', async () => {
    const fits = Object.fromEntries(names(12_000).map((name) => [name, 1]));
    const check = validate(schemas, registered(oversized), [fits]);
    expect(await staysResponsive(check)).toBe(true);
    await expect(check).resolves.toBeUndefined();
    await expect(validate(schemas, registered(oversized), empty(5000))).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      details: {
        fault_count: 20,
        faults: names(20).map((name) => ({
          pointer: '/content/0',
          rule: 'required',
          message: `must have required property '${name}'`,
        })),
      },
    });
  });

  const tooMany = { pointer: '/content', rule: 'steps', message: 'takes too many steps to check' };
  it.each([
    ['time', { ...limits, timeoutMs: 1 }, laborious, empty(5000)],
    // The errors of an alternative are kept until another one matches.
    ['memory', { ...limits, memoryMegabytes: 16 }, { anyOf: [{ items: { type: 'null' } }, true] }, empty(300_000)],
  ])('ends with a refusal if it takes too much %s', async (_name, tight, schema, content) => {
    const hasty = new DocumentSchemas(new WorkerThreads(tight));
    await expect(validate(hasty, registered(schema), content)).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      details: { faults: [tooMany] },
    });
  });

  it('ends with a refusal if even a thread would take too many steps', async () => {
    const nested = (levels: number): Json => (levels === 0 ? 1 : { a: nested(levels - 1) });
    const schema = { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } };
    await expect(validate(schemas, registered(schema), nested(55))).rejects.toMatchObject({
      details: { faults: [tooMany] },
    });
  });
});

describe('checking a schema before it is registered', () => {
  const schemas = new DocumentSchemas(new WorkerThreads(limits));
  const objectOf = (count: number) => ({ properties: Object.fromEntries(names(count).map((name) => [name, {}])) });

  it.each<[string, Json]>([
    ['it has 10001 members and elements', objectOf(10_000)],
    ['it has 20001 members and elements', { enum: names(20_000) }],
    ['it has 300018 characters', { description: 'x'.repeat(300_000) }],
    ['it has 40000 instructions in its patterns', { anyOf: names(40).map(() => ({ pattern: 'a{0,1000}' })) }],
  ])('refuses it if %s', async (reason, schema) => {
    const refused = expect.stringContaining(reason);
    await expect(schemas.check(schema)).rejects.toMatchObject({ code: 'INVALID_SCHEMA', details: { reason: refused } });
  });

  it('compiles large ones in a thread', async () => {
    await expect(schemas.check(objectOf(9_000))).resolves.toBeUndefined();
    await expect(schemas.check({ ...objectOf(9_000), type: 'objekt' })).rejects.toMatchObject({
      code: 'INVALID_SCHEMA',
    });
    const hasty = new DocumentSchemas(new WorkerThreads({ ...limits, timeoutMs: 1 }));
    await expect(hasty.check(objectOf(9_000))).rejects.toMatchObject({
      code: 'INVALID_SCHEMA',
      details: { reason: 'it takes too long to compile' },
    });
  });

  it('does not let references multiply the code', async () => {
    const shared = { $ref: '#/$defs/shared' };
    const properties = Object.fromEntries(names(450).map((name) => [name, shared]));
    await expect(schemas.check({ properties, $defs: { shared: objectOf(450) } })).resolves.toBeUndefined();
  });
});
