import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { writeTinyModel } from '../../server/src/providers/embedders/test-support/tiny-model.js';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';

let own: string;
let other: string;
beforeAll(async () => {
  own = await writeTinyModel();
  other = await writeTinyModel({ 'config_sentence_transformers.json': { prompts: { query: 'milk milk ' } } });
});
afterAll(async () => {
  await rm(own, { recursive: true });
  await rm(other, { recursive: true });
});

describeOneDatabase('the recall lab', (database) => {
  const server = useServer(database, () => ({ embedder: `onnx:${own}`, comparedEmbedder: `onnx:${other}` }));
  const browser = useBrowser();

  it('shows what two embedders find, side by side', async () => {
    for (const content of ['tea', 'tea milk'])
      await server().call({ method: 'POST', path: '/v1/remember', body: { content } });
    const token = await server().token();
    const page = await browser().open(server(), '/recall?q=tea&vs=limit%3D10', { token });
    const texts = (title: string) => page.getByRole('region', { name: title }).locator('.result-text').allInnerTexts();
    await page.getByText('2 found').nth(1).waitFor();
    expect(await texts('The others')).toEqual(['tea', 'tea milk']);
    await page.getByLabel('Match by').nth(1).selectOption({ label: 'both, with the other embedder' });
    await vi.waitFor(async () => expect(await texts('The others')).toEqual(['tea milk', 'tea']), { timeout: 10_000 });
    expect(await texts('These settings')).toEqual(['tea', 'tea milk']);
    expect(page.url()).toContain('embedder%3Dcompared');
    await expectAccessible(page);
  });
});
