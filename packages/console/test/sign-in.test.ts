import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../../server/test/support/authorization-server.js';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { startTestServer, type TestServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';

const audience = 'https://memory.example/api';

describeOneDatabase('signing in at an issuer', (database) => {
  const browser = useBrowser();
  let idp: AuthorizationServer;
  let server: TestServer;
  beforeAll(async () => {
    idp = await startAuthorizationServer(() => 'acme');
    server = await startTestServer(database(), {
      ...{ jwksUrl: `${idp.issuer}/jwks`, jwtIssuer: idp.issuer, jwtAudience: audience },
      ...{ consoleClientId: 'console', consoleResource: audience },
      jwtSecret: 'a secret of at least 32 bytes, for tests',
    });
  });
  afterAll(async () => {
    await server.close();
    await idp.close();
  });

  it('leads back to the page that was asked for, and keeps the token out of addresses and storage', async () => {
    const { page } = await browser().visit(`${server.url}/console/recall?q=tea`);
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
    await page.locator('input[name="login"]').fill('ann');
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.locator('button[type="submit"]').click();
    await page.getByRole('heading', { name: 'Recall lab' }).waitFor();
    expect(page.url()).toBe(`${server.url}/console/recall?q=tea`);
    await page.getByText('acme /').waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toMatch(/eyJ|code=|state=/);
    expect(seen.join('\n')).not.toContain('eyJ');
    await page.reload();
    await page.getByText('acme /').waitFor();
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain('code=');
  });

  it('says why it failed, and lets the person try again', async () => {
    const { page } = await browser().visit(`${server.url}/health`);
    await page.context().clearCookies();
    await page.goto(`${server.url}/console/signed-in?error=access_denied&state=x`);
    await page.getByText('This browser did not begin to sign in').waitFor();
    expect(page.url()).toBe(`${server.url}/console/`);
    await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).waitFor();
  });
});
