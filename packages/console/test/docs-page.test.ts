import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';

describeOneDatabase('the page of the API', (database) => {
  const server = useServer(database);
  const browser = useBrowser();

  it('calls an operation with a pasted token, and asks no other host', async () => {
    const { page, hosts } = await browser().visit(`${server().url}/docs`);
    await page.getByText('Authentication', { exact: true }).click();
    await page.locator('.api-key-input').fill(await server().token());
    await page.getByRole('button', { name: 'Set' }).click();
    await page.evaluate("location.hash = '#?route=post-/v1/remember'");
    const body = page.locator('textarea.request-body-param-user-input');
    expect(JSON.parse(await body.inputValue())).toHaveProperty('content');
    await body.fill('{"content": "I take my tea without milk."}');
    const answer = page.waitForResponse((response) => response.url().endsWith('/v1/remember'));
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answer).status()).toBe(201);
    await page.getByText('I take my tea without milk.').first().waitFor();
    expect([...hosts]).toEqual([new URL(server().url).host]);
    expect(browser().takeFaults()).toEqual([]);
  });

  it('shows the plugin, without calls to another listener', async () => {
    const { page } = await browser().visit(`${server().url}/docs/plugin`);
    await page.getByText('Memory plugin v1').first().waitFor();
    await page.evaluate("location.hash = '#?route=post-/v1/search'");
    await page.getByText('/v1/search').first().waitFor();
    expect(await page.getByRole('button', { name: 'Execute' }).count()).toBe(0);
    expect(browser().takeFaults()).toEqual([]);
  });
});
