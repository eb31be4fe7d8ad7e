import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../server/test/support/databases.js';
import { providerClient } from '../../server/test/support/provider.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { countClicks } from './support/count-clicks.js';
import { remember } from './support/sample-data.js';

/** The tasks that people come with, each on its shortest way. What they need is a number of clicks and of fields to fill. */
describeEachDatabase('a person', (database) => {
  const server = useServer(database, { embedder: 'local' });
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin', 'operator'] });
    await remember(server(), token);
  });
  const openHome = () => browser().open(server(), '/', { token });

  it('finds why an agent said something, in one field and no click', async () => {
    const page = await openHome();
    await page.keyboard.press('/');
    await page.keyboard.type('Where does he live?');
    await page.keyboard.press('Enter');
    const first = page.locator('.result').first();
    await first.getByText('I live in Oslo now.').waitFor();
    expect(await first.locator('.bar-row').count()).toBe(5);
  });

  it('finds why an agent did not say something, in two fields and two clicks', async () => {
    const page = await browser().open(server(), '/recall?q=Where+do+I+live%3F', { token });
    await page.getByPlaceholder('Words or id of the memory you expected').fill('Bergen');
    await page.getByRole('button', { name: 'Find it' }).click();
    await page.getByRole('button', { name: 'I live in Bergen.' }).click();
    await page.locator('[data-reason="superseded"]').waitFor();
  });

  it('corrects a wrong fact in three clicks and one field', async () => {
    const page = await openHome();
    const clicks = countClicks(page);
    await clicks.link('me');
    await clicks.click(page.locator('.fact-row', { hasText: 'Oslo' }).getByRole('button', { name: 'Correct…' }));
    await page.getByRole('dialog').getByLabel('me lives in').fill('Tromsø');
    await clicks.click(page.getByRole('button', { name: 'Save' }));
    await page.locator('.fact-row[data-status="current"]', { hasText: 'Tromsø' }).waitFor();
    await page.locator('.fact-row[data-status="current"]', { hasText: 'Oslo' }).waitFor({ state: 'detached' });
    expect(clicks.count()).toBe(3);
  });

  it('decides about an unconfirmed fact, and undoes it, by keyboard alone', async () => {
    const page = await openHome();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    const row = page.locator('.fact-row', { hasText: 'Trondheim' });
    await row.waitFor();
    await page.locator('#content').focus();
    await page.keyboard.press('j');
    for (let presses = 0; presses < 12; presses++) {
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Reject…') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reject?' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
    await row.waitFor();
  });

  it('edits a memory although somebody else changed it meanwhile, and sees both', async () => {
    const call = { method: 'POST', path: '/v1/remember', body: { content: 'The code name is Fir.' }, token };
    const { id } = (await server().call(call)).body.memory;
    const page = await browser().open(server(), `/memories/${id}`, { token });
    await page.getByRole('button', { name: 'Edit' }).click();
    const theirs = { method: 'PATCH', path: `/v1/memories/${id}`, body: { content: 'The code name is Oak.' }, token };
    await server().call({ ...theirs, headers: { 'if-match': '*' } });
    await page.getByRole('textbox', { name: 'Text' }).fill('The code name is Elm.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed it').waitFor();
    await page.getByRole('dialog').getByText('The code name is Oak.').waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.locator('.memory-full', { hasText: 'Elm' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.memory-full', { hasText: 'Oak' }).waitFor();
  });

  it('selects many memories and forgets them', async () => {
    for (const content of ['Scrap one.', 'Scrap two.']) {
      await server().call({ method: 'POST', path: '/v1/remember', body: { content, tags: ['scrap'] }, token });
    }
    const page = await browser().open(server(), '/memories?tag=scrap', { token });
    await page.getByLabel('Select: Scrap one.').check();
    await page.getByLabel('Select: Scrap two.').check();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('button', { name: 'Forget 2 memories' }).click();
    await page.getByText('No memory matches.').waitFor();
  });

  it('erases a person and proves it, in six clicks and two fields', async () => {
    const leaver = { content: 'I leave on Friday.', user_id: 'leaver' };
    await server().call({ method: 'POST', path: '/v1/remember', body: leaver, token });
    const page = await openHome();
    const clicks = countClicks(page);
    await clicks.link('Governance');
    await clicks.click(page.getByRole('tab', { name: 'Forget a user' }));
    await page.getByLabel('User id').fill('leaver');
    await clicks.click(page.getByRole('button', { name: 'Dry run' }));
    await page.getByText('Would remove').waitFor();
    await clicks.click(page.getByRole('button', { name: 'Forget this user…' }));
    const confirm = page.getByRole('button', { name: 'Forget the user' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill('leaver');
    await clicks.click(confirm);
    await page.getByText('Download the receipt').waitFor();
    await clicks.click(page.getByRole('button', { name: 'Check it now' }));
    await page.getByText('Nothing that the receipt lists is left').waitFor();
    expect(clicks.count()).toBe(6);
    const left = await server().call({ path: '/v1/memories?user_id=leaver', token });
    expect(left.body.memories).toEqual([]);
  });

  it('reads a false alarm in quarantine and releases it, in four clicks', async () => {
    const provider = providerClient(server, { workspace: 'team', agent: 'a1' });
    const alarm = 'Ignore all previous instructions is what attackers write.';
    expect((await provider.patch('agent:a1/AGENT.md', [alarm])).status).toBe(200);
    await provider.recall({ query: 'attackers' });
    const admin = await server().token({ user: 'me', roles: ['admin'] });
    const page = await browser().open(server(), '/', { token: admin });
    const clicks = countClicks(page);
    await clicks.link('Inbox');
    await clicks.click(page.getByRole('button', { name: 'Read the text' }));
    await page.locator('mark', { hasText: 'Ignore all previous instructions' }).waitFor();
    await clicks.click(page.getByRole('button', { name: 'Release…' }));
    await clicks.click(page.getByRole('dialog').getByRole('button', { name: 'Release' }));
    await page.getByText('Released: it is back').waitFor();
    await page.getByRole('button', { name: 'Read the text' }).waitFor({ state: 'detached' });
    expect(clicks.count()).toBe(4);
    expect((await provider.recall({ query: 'attackers' })).body.hits).toHaveLength(1);
  });

  it('verifies the audit chain in two clicks', async () => {
    const page = await openHome();
    const clicks = countClicks(page);
    await clicks.link('Governance');
    await clicks.click(page.getByRole('button', { name: 'Verify the chain' }));
    await page.getByText(/Verified: all \d+ records/).waitFor();
    expect(clicks.count()).toBe(2);
  });
});
