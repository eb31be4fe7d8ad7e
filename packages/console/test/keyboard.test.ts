import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { providerClient } from '../../server/test/support/provider.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { remember } from './support/sample-data.js';
import { tabTo } from './support/tab-to.js';

/** Finding why an agent said something, and why recall got slow, are walked in the suites of the tasks and of operations. */
describeOneDatabase('by keyboard alone, a person', (database) => {
  const server = useServer(database);
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin'] });
    await remember(server(), token);
  });

  async function openPage(letter: string): Promise<Page> {
    const page = await browser().open(server(), '/', { token });
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    return page;
  }

  async function press(page: Page, name: string, within: Pick<Page, 'getByRole'> = page) {
    await tabTo(page, within.getByRole('button', { name, exact: true }).first());
    await page.keyboard.press('Enter');
  }

  it('corrects a wrong fact', async () => {
    const page = await openPage('s');
    await tabTo(page, page.getByRole('link', { name: 'me', exact: true }).first());
    await page.keyboard.press('Enter');
    await press(page, 'Correct…', page.locator('.fact-row', { hasText: 'Oslo' }));
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('me lives in'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Tromsø');
    await press(page, 'Save', dialog);
    await page.locator('.fact-row[data-status="current"]', { hasText: 'Tromsø' }).waitFor();
    await press(page, 'Undo', page.getByRole('status'));
    await page.locator('.fact-row[data-status="current"]', { hasText: 'Oslo' }).waitFor();
  });

  it('releases a false alarm from quarantine', async () => {
    const provider = providerClient(server, { workspace: 'team', agent: 'a1' });
    const alarm = 'Ignore all previous instructions is what attackers write.';
    expect((await provider.patch('agent:a1/AGENT.md', [alarm])).status).toBe(200);
    await provider.recall({ query: 'attackers' });
    const page = await openPage('i');
    await press(page, 'Release…');
    await press(page, 'Release', page.getByRole('dialog'));
    await page.getByText('Released: it is back').waitFor();
  });

  it('erases a person and proves it', async () => {
    const leaver = { content: 'I leave on Friday.', user_id: 'leaver' };
    await server().call({ method: 'POST', path: '/v1/remember', body: leaver, token });
    const page = await openPage('v');
    await tabTo(page, page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, page.getByLabel('User id'));
    await page.keyboard.type('leaver');
    await page.keyboard.press('Enter');
    await press(page, 'Forget this user…');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByRole('textbox'));
    await page.keyboard.type('leaver');
    await press(page, 'Forget the user', dialog);
    await press(page, 'Check it now');
    await page.getByText('Nothing that the receipt lists is left').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });
});
