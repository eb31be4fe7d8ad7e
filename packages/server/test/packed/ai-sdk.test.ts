import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Consumer, compile, tarballOf } from './support/consumer.js';
import { nodeProgram } from './support/node-versions.js';

const scenario = fileURLToPath(new URL('./scenarios/ai-sdk.ts', import.meta.url));
/** Version 7 needs Node 22. */
const versions =
  process.env.MEMHALL_TEST_LONG === undefined
    ? [{ sdk: '6', node: process.versions.node }]
    : [
        { sdk: '5', node: '20' },
        { sdk: '6', node: '20' },
        { sdk: '7', node: '22' },
      ];

describe.each(versions)('the agent with version $sdk of the AI SDK', ({ sdk, node }) => {
  it('answers, streams, uses tools and remembers, and its types are right', async () => {
    const consumer = new Consumer(nodeProgram(node));
    // The types of the SDK use those of JSON schemas without depending on them.
    const types = ['@types/json-schema@7', '@types/node@20'];
    const output = await consumer.install(tarballOf('@memhall/agent'), `ai@${sdk}`, ...types);
    expect(output).not.toMatch(/warn|error/i);
    consumer.copy(scenario, 'ai-sdk.ts');
    const compilerOptions = { target: 'ES2023', module: 'NodeNext', strict: true, types: ['node'] };
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['ai-sdk.ts'] }));
    await compile(consumer, 'tsconfig.json');
    const { stdout } = await consumer.run('ai-sdk.js');
    expect(JSON.parse(stdout)).toEqual({
      run: 'Behind the door.',
      steps: 2,
      parts: ['text', 'result'],
      text: 'Tea.',
      streamed: 'Tea.',
      remembered: ['What do I drink? Tea.', 'And in the evening? Tea.'],
      searched: [expect.stringContaining('Found for tea.')],
      noted: [expect.objectContaining({ content: expect.stringContaining('AGENT.md') })],
    });
    consumer.remove();
  });
});
