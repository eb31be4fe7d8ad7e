import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';
import { holdConversation } from './support/sample-conversation.js';

describeOneDatabase('conversations', (database) => {
  const server = useServer(database, { jobs: 'true' });
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin'] });
    await holdConversation(server(), token);
  });

  it('show what was extracted from each turn, and open what was made', async () => {
    const page = await browser().open(server(), '/conversations', { token });
    await page.getByRole('link', { name: 'trip-7' }).click();
    const turns = page.getByRole('region', { name: 'What was said' });
    const first = turns.locator('.turn', { hasText: 'I work at Statkraft' });
    await first.locator('strong', { hasText: 'Statkraft' }).waitFor();
    const third = turns.locator('.turn', { hasText: 'I prefer short answers' });
    await third.getByText('user/user_dynamic.json').first().click();
    await third.locator('.added', { hasText: 'short answers' }).first().waitFor();
    await expectAccessible(page);
    expect(await turns.locator('.turn', { hasText: 'Nice to meet you' }).innerText()).toContain(
      'nothing was extracted',
    );
    await third.getByRole('link', { name: 'See it in the history' }).first().click();
    await page.getByRole('slider').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('are replayed on request, and the page follows the replay', async () => {
    const page = await browser().open(server(), '/conversations/trip-7', { token });
    const replays = page.getByRole('region', { name: 'Replays' });
    await replays.getByText('completed').waitFor();
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The replay is queued.').waitFor();
    await replays.getByText('completed').nth(1).waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('show a snapshot to admins once they ask for it, and to nobody else', async () => {
    const page = await browser().open(server(), '/conversations/trip-7', { token });
    await page.getByRole('button', { name: 'Read the latest snapshot' }).click();
    await page.getByRole('region', { name: 'The latest snapshot' }).getByText('Nice to meet you').waitFor();
    const own = await browser().open(server(), '/conversations/trip-7', {
      token: await server().token({ user: 'me' }),
    });
    await own.getByRole('region', { name: 'What was said' }).waitFor();
    expect(await own.getByRole('button', { name: 'Read the latest snapshot' }).count()).toBe(0);
    const stranger = await browser().open(server(), '/conversations/trip-7?user=me', {
      token: await server().token({ user: 'you' }),
    });
    await stranger.getByText('The token belongs to a different user.').first().waitFor();
    expect(await stranger.getByText('Statkraft').count()).toBe(0);
  });
});
