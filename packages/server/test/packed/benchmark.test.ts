import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumer, compile, tarballOf } from './support/consumer.js';

const readme = new URL('../../../benchmark/README.md', import.meta.url);
const [, adapter = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8')) ?? [];
const command = 'node_modules/@memhall/benchmark/bin/memhall-benchmark.js';

describe('the benchmark in an empty project', () => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = new Consumer();
    await consumer.install(tarballOf('@memhall/benchmark'), '@types/node@20');
    consumer.write('my-adapter.mjs', adapter);
  });

  afterAll(() => consumer.remove());

  it('measures the adapter of the README', async () => {
    const only = ['isolation/users', 'isolation/patterns', 'durability/writes', 'erasure/recall'].flatMap((id) => [
      '-o',
      id,
    ]);
    const { stdout } = await consumer.run(command, '-s', './my-adapter.mjs', ...only, '--json');
    const { systems } = JSON.parse(stdout);
    expect(systems[0].cases.map(({ status }: { status: string }) => status)).toEqual([
      'passed',
      'passed',
      'passed',
      'not claimed',
    ]);
  });

  it('says what is missing for a system that is not installed', async () => {
    const ended = await consumer.run(command, '-s', 'mem0').catch((error: { code: number; stdout: string }) => error);
    expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('Run `npm install mem0ai`') });
  });

  it('has types', async () => {
    consumer.write(
      'own.ts',
      `import { type Adapter, claim, runBenchmark } from '@memhall/benchmark';
      export const asked: Adapter['claims']['users'] = claim('README');
      export const run: typeof runBenchmark = runBenchmark;`,
    );
    const options = { module: 'NodeNext', target: 'ES2023', strict: true, noEmit: true, types: ['node'] };
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['own.ts'] }));
    await compile(consumer, 'tsconfig.json');
  });
});
