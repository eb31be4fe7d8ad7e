import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';
import { patchDocument, writeDocuments } from './support/sample-documents.js';

const dynamic = '/documents/user/user_dynamic.json';

describeOneDatabase('documents', (database) => {
  const server = useServer(database);
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me' });
    await writeDocuments(server(), token);
  });
  const open = (path: string, who = token) => browser().open(server(), path, { token: who });
  const documentPath = (namespace: string, path: string) =>
    `/v1/tenants/t1/users/me/documents/${namespace}/${encodeURIComponent(path)}`;
  const read = async (namespace: string, path: string) => {
    const { body } = await server().call({ path: documentPath(namespace, path), token });
    return body.document.content;
  };

  it('are a tree by profile, from which new ones are begun', async () => {
    const page = await open('/documents');
    const profile = page.getByRole('region', { name: 'Profile project-copilot-v1' });
    await profile.getByRole('link', { name: 'rollout.json' }).waitFor();
    await profile.getByText('not written yet').waitFor();
    await profile.getByRole('button', { name: 'New project_doc' }).click();
    await page.getByLabel('project_id').fill('atlas');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('It does not exist yet.').waitFor();
    await type(page, '{"summary": "Maps.", "facets": {}, "recent_notes": []}');
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Last changed by me').waitFor();
    expect((await read('projects', 'atlas.json')).summary).toBe('Maps.');
    expect(browser().takeFaults()).toEqual([]);
  });

  it('are edited with the help of their schema, written as a patch with evidence, and put back', async () => {
    const page = await open(`${dynamic}?user=me`);
    const before = await read('user', 'user_dynamic.json');
    await type(page, JSON.stringify({ ...before, preferences: ['Short.'], durable_facts: [{ text: '' }] }));
    await page.getByText('Instance does not have required property "confidence"').waitFor();
    await page.getByText('durable_facts › 0 › text', { exact: true }).first().waitFor();
    await type(page, '{ }');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: /"preferences"/ }).waitFor();
    await page.keyboard.press('Escape');
    await type(page, JSON.stringify({ ...before, preferences: ['Short.'] }));
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('DIV');
    await page.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this change?' });
    await dialog.getByText('replace /content/preferences/0').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Why?').fill('She asked for it.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as a new version.').waitFor();
    const history = await server().call({ path: `${documentPath('user', 'user_dynamic.json')}/history`, token });
    expect(history.body.versions[0]).toMatchObject({ reason: 'live_update', evidence: { note: 'She asked for it.' } });
    expect(history.body.versions[0].ops).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: it is as it was before.').waitFor();
    expect(await read('user', 'user_dynamic.json')).toEqual(before);
    expect(browser().takeFaults()).toEqual([]);
  });

  it('show three views when somebody else wrote meanwhile, and merge', async () => {
    const page = await open(dynamic);
    await editorOf(page).waitFor();
    const before = await read('user', 'user_dynamic.json');
    await type(page, JSON.stringify({ ...before, preferences: ['Mine.', ...before.preferences.slice(1)] }));
    await page.getByRole('button', { name: 'Save…' }).click();
    await patchDocument(server(), token, {
      ops: [
        { op: 'replace', path: '/content/preferences/0', value: 'Theirs.' },
        { op: 'add', path: '/content/pending_confirmations/-', value: { ...before.durable_facts[0], text: 'New?' } },
      ],
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const merge = page.getByRole('region', { name: 'Somebody else wrote meanwhile' });
    await merge.getByRole('region', { name: 'What they changed' }).getByText('New?').waitFor();
    await merge.getByRole('region', { name: 'What you changed' }).getByText('Mine.').waitFor();
    await merge.getByText('Both changed preferences › 0').waitFor();
    await expectAccessible(page);
    await merge.getByRole('radio', { name: 'Theirs: "Theirs."' }).check();
    await merge.getByRole('radio', { name: 'Yours: "Mine."' }).check();
    await merge.getByRole('button', { name: 'Merge both' }).click();
    await merge.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as a new version.').waitFor();
    const after = await read('user', 'user_dynamic.json');
    expect(after.preferences[0]).toBe('Mine.');
    expect(after.pending_confirmations.at(-1).text).toBe('New?');
  });

  it('go through their history with a slider, are shown as of a moment, and restored', async () => {
    const page = await open('/documents/projects/rollout.json');
    await editorOf(page).waitFor();
    const ops = [{ op: 'replace', path: '/content/summary', value: 'Put off until May.' }];
    await patchDocument(server(), token, { namespace: 'projects', path: 'rollout.json', binding: 'project_doc', ops });
    await editorOf(page).getByText('Put off until May.').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const slider = page.getByRole('slider', { name: 'Version 2 of 2' });
    await slider.focus();
    await page.getByRole('region', { name: 'What it changed' }).getByText('Put off until May.').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('from nothing').waitFor();
    expect(new URL(page.url()).searchParams.get('version')).toBe('1');
    await page.getByRole('link', { name: 'Show it as of this moment' }).click();
    await page.getByText('Release 4 goes out on Monday').waitFor();
    expect(await editorOf(page).count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('dialog', { name: 'Restore version 1?' }).getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored: it is as it was in version 1.').waitFor();
    expect((await read('projects', 'rollout.json')).summary).toBe('Release 4 goes out on Monday, after the freeze.');
    expect(browser().takeFaults()).toEqual([]);
  });

  it('say what the server refuses, and let an admin replace what no patch may change', async () => {
    const page = await open('/documents/user/user_static.json');
    await type(page, '{"profile": {"name": "Ann"}}');
    await page.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('so the server will refuse it').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('no rule makes it writable').waitFor();
    expect(await dialog.getByLabel('Replace the whole document').count()).toBe(0);
    const admin = await server().token({ user: 'me', roles: ['admin'] });
    await server().call({
      method: 'PUT',
      path: documentPath('user', 'user_static.json'),
      headers: { 'if-none-match': '*', 'idempotency-key': 'static-1' },
      body: {
        profile_id: 'project-copilot-v1',
        binding_id: 'user_static',
        reason: 'admin_migration',
        document: { content: { profile: { name: 'Anna' } } },
      },
      token: admin,
    });
    const other = await open('/documents/user/user_static.json', admin);
    await type(other, '{"profile": {"name": "Ann"}}');
    await other.getByRole('button', { name: 'Save…' }).click();
    expect(await other.getByLabel('Replace the whole document').isChecked()).toBe(true);
    await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await other.getByText('Saved as a new version.').waitFor();
    expect(await read('user', 'user_static.json')).toEqual({ profile: { name: 'Ann' } });
  });

  it('of others cannot be seen', async () => {
    const stranger = await server().token({ user: 'you' });
    const page = await open(`${dynamic}?user=me`, stranger);
    await page.getByText('The token belongs to a different user.').first().waitFor();
    expect(await page.getByText('Metric units.').count()).toBe(0);
  });
});

function editorOf(page: Page) {
  return page.getByRole('textbox', { name: /^Content of/ });
}

/** Replaces what is in the editor, as somebody who pastes. */
async function type(page: Page, text: string) {
  await editorOf(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}
