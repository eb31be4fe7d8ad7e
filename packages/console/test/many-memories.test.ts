import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { watchScripts } from './support/watch-scripts.js';

/** As many as the console is built for; it takes minutes to store them. */
const count = process.env.MEMHALL_TEST_LONG === undefined ? 2000 : 100_000;
const batch = 500;

describeOneDatabase(`a list of ${count} memories`, (database) => {
  const server = useServer(database);
  const browser = useBrowser();

  it('is scrolled to its end with few rows at a time, and shows nothing of another tenant', {
    timeout: 900_000,
  }, async () => {
    const store = async (tenant: string, words: string, total: number) => {
      const token = await server().token({ tenant, user: 'me' });
      for (let from = 0; from < total; from += batch) {
        const memories = Array.from({ length: batch }, (_, index) => ({ content: `${words} ${from + index}` }));
        const { status } = await server().call({ method: 'POST', path: '/v1/remember', body: { memories }, token });
        expect(status).toBe(201);
      }
      return token;
    };
    await store('t2', 'Secret of the neighbours', batch);
    const token = await store('t1', 'Something that I said, as number', count);
    const page = await browser().open(server(), '/memories', { token });
    await page.locator('.memory-row').first().waitFor();
    const longest = await watchScripts(page, async () => {
      for (;;) {
        await page.evaluate(() => window.scrollBy(0, 4000));
        await page.waitForTimeout(16);
        expect(await page.locator('.memory-row').count()).toBeLessThan(80);
        if ((await page.locator('.memory-count').textContent())?.endsWith('memories')) break;
      }
    });
    expect(await page.locator('.memory-count').textContent()).toBe(`${count.toLocaleString('en')} memories`);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.getByText('Something that I said, as number 0', { exact: true }).waitFor();
    expect(await page.getByText('Secret of the neighbours').count()).toBe(0);
    expect(browser().takeFaults()).toEqual([]);
    // biome-ignore lint/suspicious/noConsole: what is measured is not asserted
    console.info(`longest scripting tasks in ms: ${longest.map((ms) => ms.toFixed(1)).join(', ')}`);
  });
});
