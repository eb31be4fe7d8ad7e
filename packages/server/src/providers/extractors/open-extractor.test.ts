import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noTelemetry } from '../../ports/telemetry.js';
import { complete, FakeChatServer } from './llm/test-support/fake-chat-server.js';
import { fact } from './llm/test-support/proposals.js';
import { type ExtractorSettings, openExtractor } from './open-extractor.js';

const server = new FakeChatServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

function settings(more: Partial<ExtractorSettings> = {}): ExtractorSettings {
  return {
    extractor: 'llm',
    extractorUrl: server.baseUrl,
    extractorModel: 'small-one',
    extractorKey: undefined,
    extractorTimeoutMs: 60_000,
    ...more,
  };
}

describe('the configured extractor', () => {
  it('is none, the rules, or a model, named with its version', async () => {
    expect(await openExtractor(settings({ extractor: 'none' }), noTelemetry)).toBeNull();
    expect((await openExtractor(settings({ extractor: 'rules' }), noTelemetry))?.name).toBe('rules-2');
    expect((await openExtractor(settings(), noTelemetry))?.name).toBe('llm-2:small-one');
  });

  it('reports refusals', async () => {
    const counted: unknown[] = [];
    const telemetry = { countExtractionRefusals: (...told: unknown[]) => void counted.push(told) };
    const invented = fact('I rule Rome', [1], { confidence: 1 });
    server.interceptNext((_, response) =>
      complete(response, JSON.stringify({ facts: [invented], digest: { quotes: [], keywords: [] } })),
    );
    const extractor = await openExtractor(settings(), telemetry);
    await extractor?.extract({ messages: [{ id: 'a', role: 'user', content: 'I live in Rome.' }] });
    expect(counted).toEqual([['llm-2:small-one', 'words', 1]]);
  });

  it('opens while its model is down, and is never replaced by the rules', async () => {
    const extractor = await openExtractor(settings({ extractorUrl: 'http://127.0.0.1:1/v1' }), noTelemetry);
    const call = extractor?.extract({ messages: [{ id: 'a', role: 'user', content: 'I live in Rome.' }] });
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is a start-up error without the key if it cannot work', async () => {
    const attempt = openExtractor(settings({ extractorKey: 'sk-secret\n' }), noTelemetry);
    await expect(attempt).rejects.toThrow(/MEMHALL_EXTRACTOR/);
    await expect(attempt).rejects.not.toThrow(/sk-secret/);
  });
});
