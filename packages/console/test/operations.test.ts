import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeEmbeddingsServer } from '../../server/src/providers/embedders/test-support/fake-embeddings-server.js';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { addDeadLetters } from '../../server/test/support/dead-letters.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { countClicks } from './support/count-clicks.js';
import { remember } from './support/sample-data.js';
import { tabTo } from './support/tab-to.js';
import { takePicture } from './support/take-picture.js';

describeOneDatabase('operations', (database) => {
  const embedder = new FakeEmbeddingsServer();
  beforeAll(() => embedder.start());
  afterAll(() => embedder.stop());
  const server = useServer(database, () => ({
    ...{ embedder: 'openai', embedderUrl: embedder.baseUrl, embedderModel: 'fake', embedderDimension: '16' },
  }));
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin', 'operator'] });
    await remember(server(), token);
  });

  it('say why recall got slow, in one click', async () => {
    const recall = (query: string) =>
      server()
        .call({ method: 'POST', path: '/v1/recall', body: { query }, token })
        .then(({ status }) => status);
    const slow = async () => {
      await new Promise((done) => setTimeout(done, 700));
      return false;
    };
    embedder.interceptNext(slow, slow);
    expect([await recall('Who works at Equinor?'), await recall('What about milk?')]).toEqual([200, 200]);
    const page = await browser().open(server(), '/', { token });
    const clicks = countClicks(page);
    await page.locator('.pair', { hasText: 'Recall' }).getByText('slower than the objective').waitFor();
    await clicks.click(page.getByRole('link', { name: 'Find out why' }));
    await page.locator('[data-finding="embed"]', { hasText: 'Embedding the question takes' }).waitFor();
    expect(clicks.count()).toBe(1);
    await takePicture(page, 'slow-recall-light');
    await page.goBack();
    await tabTo(page, page.getByRole('link', { name: 'Find out why' }));
    await page.keyboard.press('Enter');
    await page.locator('[data-finding="embed"]').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('show dead letters, and give them another try', async () => {
    await addDeadLetters(database(), [
      { job: 'replay', payload: { tenantId: 't1', userId: 'me' } },
      { job: 'compact', payload: { tenantId: 't2' } },
    ]);
    const page = await browser().open(server(), '/operations?tab=jobs', { token });
    await page.locator('tr', { hasText: 'replay' }).getByRole('button', { name: 'Retry…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('The job runs again.').waitFor();
    await page.locator('tr', { hasText: 'replay' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Retry all…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('No job has failed for good.').waitFor();
    await page.goto(`${server().url}/console/governance?tab=tenant`);
    await page.getByText('jobs.retry').first().waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('export the memory of a user and import it for another', async () => {
    const page = await browser().open(server(), '/operations?tab=transfer', { token });
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save memory-of-me.jsonl' }).click();
    const path = await (await download).path();
    expect(await readFile(path, 'utf8')).toContain('I take my tea without milk.');

    const other = await browser().open(server(), '/operations?tab=transfer&user=twin', { token });
    await other.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'me.jsonl', mimeType: 'application/jsonl' },
      buffer: await readFile(path).then((bytes) => Buffer.concat([bytes, Buffer.from('not json\n')])),
    });
    await other.getByText('1 line cannot be used:').waitFor();
    const imports = other.getByRole('button', { name: /^Import \d+/ });
    await imports.click();
    await other.getByText(/^(\d+) of \1 stored\.$/).waitFor();
    await imports.click();
    await other.getByText(/^(\d+) of \1 stored\.$/).waitFor();
    const { body } = await server().call({ path: '/v1/memories?user_id=twin&limit=100', token });
    const contents = body.memories.map(({ content }: { content: string }) => content);
    expect(contents.filter((content: string) => content === 'I take my tea without milk.')).toHaveLength(1);
    expect(browser().takeFaults()).toEqual([]);
  });

  it('lead from the list of users to the memory of one', async () => {
    const page = await browser().open(server(), '/operations?tab=users&prefix=m', { token });
    await page.locator('tr', { hasText: 'me' }).getByRole('link', { name: 'Memories' }).click();
    await page.getByText('I take my tea without milk.').first().waitFor();
  });

  it('show an operator no memory, and a user only export and import', async () => {
    const operator = await server().token({ user: 'olga', roles: ['operator'] });
    const page = await browser().open(server(), '/operations', { token: operator });
    await page.getByText('What a recall spends its time on').waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Performance', 'Jobs', 'System', 'Tenants']);
    const own = await browser().open(server(), '/operations', { token: await server().token({ user: 'me' }) });
    expect(await own.getByRole('tab').allTextContents()).toEqual(['Export and import']);
    expect(browser().takeFaults()).toEqual([]);
  });
});
