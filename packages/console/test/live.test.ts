import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { patchDocument } from './support/sample-documents.js';

/** More than the six connections that browsers open to a host over HTTP/1.1. */
const manyTabs = 9;

describeOneDatabase('changes by others', (database) => {
  const server = useServer(database);
  const browser = useBrowser();
  let token = '';
  const remember = async (body: object) =>
    expect((await server().call({ method: 'POST', path: '/v1/remember', body, token })).status).toBe(201);
  beforeAll(async () => {
    token = await server().token({ user: 'me' });
    await remember({ content: 'The heron left.' });
  });

  it('reach every tab, however many are open', async () => {
    const first = await browser().open(server(), '/memories', { token });
    const tabs: Page[] = [first];
    while (tabs.length < manyTabs) {
      const tab = await first.context().newPage();
      await tab.goto(`${server().url}/console/memories`, { timeout: 10_000 });
      await tab.getByText('The heron left.').waitFor({ timeout: 10_000 });
      tabs.push(tab);
    }
    await remember({ content: 'The heron came back.' });
    for (const tab of tabs) await tab.getByText('The heron came back.').waitFor({ timeout: 15_000 });
    await first.close();
    await remember({ content: 'It stayed.' });
    for (const tab of tabs.slice(1)) await tab.getByText('It stayed.').waitFor({ timeout: 15_000 });
    expect(browser().takeFaults()).toEqual([]);
  });

  it('reach a conversation that is open', async () => {
    await remember({ content: 'Good morning.', session_id: 'morning' });
    const page = await browser().open(server(), '/conversations/morning', { token });
    await page.getByText('Good morning.').waitFor();
    await remember({ content: 'I slept well.', session_id: 'morning' });
    await page.getByText('I slept well.').waitFor({ timeout: 15_000 });
  });

  it('that cannot be read leave what is shown, and what was typed', async () => {
    await patchDocument(server(), token, { ops: [{ op: 'add', path: '/content/preferences/-', value: 'Tea.' }] });
    const page = await browser().open(server(), '/documents/user/user_dynamic.json', { token });
    const editor = page.getByRole('textbox', { name: /^Content of/ });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{"preferences": ["Coffee."]}');
    await page.route('**/documents/**', (route) => route.fulfill({ status: 500, body: '{}' }));
    await patchDocument(server(), token, { ops: [{ op: 'add', path: '/content/preferences/-', value: 'Milk.' }] });
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.first().waitFor({ timeout: 15_000 });
    await editor.getByText('Coffee.').waitFor();
    await page.unroute('**/documents/**');
    await retry.first().click();
    await page.getByRole('region', { name: 'Somebody else wrote meanwhile' }).getByText('Milk.').first().waitFor();
    await editor.getByText('Coffee.').waitFor();
  });

  it('do not move a long list that somebody reads, but are announced', async () => {
    const memories = Array.from({ length: 250 }, (_, index) => ({ content: `Line ${index}.`, tags: ['lines'] }));
    await remember({ memories });
    const page = await browser().open(server(), '/memories?tag=lines', { token });
    await page.locator('.memory-row').first().waitFor();
    await page.evaluate(() => window.scrollBy(0, 2500));
    await page.locator('.memory-count', { hasText: /^200/ }).waitFor();
    await remember({ content: 'The newest line.', tags: ['lines'] });
    await page.getByText('Something changed since this list was read.').waitFor({ timeout: 15_000 });
    expect(await page.getByText('The newest line.').count()).toBe(0);
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByText('The newest line.').waitFor();
    expect(await page.getByText('Something changed since').count()).toBe(0);
  });
});
