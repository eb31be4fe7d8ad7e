import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';

const profile = { profile_id: 'project-copilot-v1' };

describeOneDatabase('undoing', (database) => {
  const server = useServer(database, { jobs: 'true' });
  const browser = useBrowser();
  let token = '';
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    (await server().call({ method, path, token, headers, ...(body && { body }) })).body;
  const open = (path: string) => browser().open(server(), path, { token });
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin'] });
  });

  it('is offered for long enough to be reached, and with a key', async () => {
    const { memory } = await call('POST', '/v1/remember', { content: 'The gate is green.' });
    const page = await open(`/memories/${memory.id}`);
    await page.clock.install();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('Pinned: it ranks higher now.').waitFor();
    await expectAccessible(page);
    await page.clock.fastForward(15_000);
    await page.getByRole('button', { name: 'Undo', exact: true }).hover();
    await page.clock.fastForward(60_000);
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(1);
    await page.keyboard.press('u');
    await page.getByText('No longer pinned.').waitFor();
    await page.mouse.move(1, 1);
    await page.clock.fastForward(60_000);
    await page.getByText('No longer pinned.').waitFor({ state: 'detached' });
  });

  it('says what the server refuses, until it is dismissed', async () => {
    const { memory } = await call('POST', '/v1/remember', { content: 'The gate is red.' });
    const page = await open(`/memories/${memory.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('The gate is blue.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.memory-full', { hasText: 'blue' }).waitFor();
    await page.clock.install();
    await call('DELETE', `/v1/memories/${memory.id}`);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    const refused = page.getByRole('status').getByText('There is no memory');
    await refused.waitFor();
    await page.clock.fastForward(120_000);
    await refused.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await refused.waitFor({ state: 'detached' });
  });

  it('puts a legal hold back as it was before it was replaced', async () => {
    const holds = '/v1/tenants/t1/legal-holds';
    await call('PUT', `${holds}/case-7`, { reason: 'The first reason', user_ids: ['ann'] });
    const page = await open('/governance?tab=holds');
    await page.getByText('The first reason').waitFor();
    await page.getByLabel('Name').fill('case-7');
    await page.getByLabel('Reason').fill('Another reason');
    await page.getByRole('button', { name: 'Set a hold…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace this hold?' });
    await dialog.getByText('The first reason').waitFor();
    await dialog.getByRole('button', { name: 'Replace the hold' }).click();
    await page.getByText('Another reason').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The first reason').waitFor();
    expect((await call('GET', holds)).legal_holds).toMatchObject([{ name: 'case-7', user_ids: ['ann'] }]);
  });

  it('takes an applied patch out of the document again', async () => {
    const root = '/v1/tenants/t1/users/ann';
    const patch = (op: object) =>
      call(
        'PATCH',
        `${root}/documents/user/user_dynamic.json`,
        { ...profile, binding_id: 'user_dynamic', reason: 'live_update', ops: [op] },
        { 'if-match': '*', 'idempotency-key': randomUUID() },
      );
    await patch({ op: 'add', path: '/content/preferences', value: ['x'.repeat(9000), 'y'.repeat(8700)] });
    const messages = [{ id: 'm1', role: 'user', content: 'My name is Ann.' }];
    await call('POST', `${root}/conversations/c1/snapshots`, { ...profile, messages });
    while ((await call('GET', '/v1/tenants/t1/unresolved-patches')).patches.length === 0) await sleep(50);
    await patch({ op: 'remove', path: '/content/preferences/0' });
    const facts = async () =>
      (await call('GET', `${root}/documents/user/user_dynamic.json`)).document.content.durable_facts;
    const page = await open('/inbox');
    await page.getByText('tried once').waitFor();
    await page.getByRole('button', { name: 'Apply…' }).click();
    await page.getByRole('dialog').getByText('It can be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied: it is a new version of the document.').waitFor();
    expect(await facts()).toHaveLength(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone: the document is as it was before.').waitFor();
    expect(await facts()).toEqual([]);
    expect(browser().takeFaults()).toEqual([]);
  });

  it('of a source that was taken back says what it will do first', async () => {
    const body = { content: 'The mill is closed.' };
    await server().call({
      method: 'POST',
      path: '/v1/remember',
      body,
      token: await server().token({ user: 'miller' }),
    });
    const page = await open('/governance?tab=sources');
    await page.getByLabel('Author').fill('miller');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: 'Take it back…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
    await page.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore what was taken back?' });
    await dialog.getByText('1 memory').waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored.').waitFor();
  });

  it('of a fact says which change it takes back', async () => {
    await call('PUT', '/v1/facts', { subject: 'me', attribute: 'drinks', value: 'tea', trust: 'tool' });
    const page = await open('/inbox');
    await page.getByText('stated directly').waitFor();
    await page.getByRole('button', { name: 'Confirm…' }).click();
    await page.getByLabel('Why (kept with the change)').fill('She said so.');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Confirmed.').waitFor();
    await page.goto(`${server().url}/console/subjects/me`);
    await page.locator('.fact-row', { hasText: 'tea' }).getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the last change?' });
    await dialog.getByText('confirmed').waitFor();
    await dialog.getByText('She said so.').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });
});
