import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';

describeEachDatabase('the console', (database) => {
  const server = useServer(database);
  const browser = useBrowser();

  it('signs in with a link, once, and keeps the token out of the address, storage and scripts', async () => {
    const token = await server().token();
    const link = server().signInLink(token);
    const page = await browser().open(server(), '/', { token });
    expect(page.url()).toBe(`${server().url}/console/`);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(token.slice(0, 20));
    await page.reload();
    await page.locator('.shell h1').waitFor();
    await page.goto(link);
    await page.waitForURL(`${server().url}/console/`);
    await page.locator('.shell h1').waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This link was used before').waitFor();
    expect(page.url()).not.toContain('code');
  });

  it('reads less than 250 kB of scripts for the first page', async () => {
    const page = await browser().open(server(), '/');
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
  });

  it('signs in with a pasted token, shows the words of the server if it is refused, and signs out', async () => {
    const page = await browser().open(server(), '/recall');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Token').fill('not-a-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The token is not valid.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Token').fill(await server().token());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Recall lab' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
  });

  it('opens pages, the search and the list of shortcuts by keyboard', async () => {
    const page = await browser().open(server(), '/');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('tea?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Recall lab' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('tea?');
    await page.locator('#content').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('loads the page again after the server was replaced by a newer one', async () => {
    const page = await browser().open(server(), '/');
    const code = '**/assets/inbox-page-*.js';
    await page.route(code, (route) => route.fulfill({ status: 404 }));
    page.once('load', () => page.unroute(code));
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().click();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });

  it('shows only pages of use to the role, and acts for another user only as the roles allow', async () => {
    const operator = await server().token({ roles: ['operator'] });
    const page = await browser().open(server(), '/', { token: operator });
    expect(await page.getByRole('link', { name: 'Memories' }).count()).toBe(0);
    await server().call({ method: 'POST', path: '/v1/remember', body: { content: 'The password of u1 is a secret.' } });
    const other = await server().token({ user: 'u2' });
    const denied = await browser().open(server(), '/recall?q=password&user=u1', { token: other });
    await denied.getByText('The token belongs to a different user.').first().waitFor();
    expect(await denied.getByText('is a secret').count()).toBe(0);
    const service = await server().token({ user: 'u2', roles: ['service'] });
    const allowed = await browser().open(server(), '/recall?q=password&user=u1', { token: service });
    await allowed.getByText('is a secret').waitFor();
    const elsewhere = await server().token({ tenant: 't2', roles: ['admin'] });
    const empty = await browser().open(server(), '/recall?q=password&user=u1', { token: elsewhere });
    await empty.getByText('Nothing was found.').waitFor();
  });
});
