import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../server/test/support/databases.js';
import { addDeadLetters } from '../../server/test/support/dead-letters.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';
import { holdConversation } from './support/sample-conversation.js';
import { remember } from './support/sample-data.js';
import { writeDocuments } from './support/sample-documents.js';
import { takePicture } from './support/take-picture.js';

/** Every page: its name, its address, and something that is there once it has its answers. */
const pages: readonly (readonly [name: string, path: string, text: string | RegExp])[] = [
  ['home', '/', 'Needs a decision'],
  ['recall', '/recall?q=Where+do+I+live%3F&superseded=1', 'no longer true'],
  ['compare', '/recall?q=Where+do+I+live%3F&vs=superseded%3D1', 'new'],
  ['memories', '/memories', 'I take my tea without milk.'],
  ['memory', '/memories/PINNED', 'It is stored once.'],
  ['subjects', '/subjects', 'Waiting for your word'],
  ['subject', '/subjects/me', 'superseded'],
  ['conversations', '/conversations', 'trip-7'],
  ['conversation', '/conversations/trip-7', 'patches applied'],
  ['documents', '/documents', 'rollout.json'],
  ['document', '/documents/user/user_dynamic.json', 'Metric units.'],
  ['history', '/documents/user/user_dynamic.json?tab=history&version=3', 'Answers in two sentences.'],
  ['context', '/context?q=When+does+the+rollout+start%3F&hint=the+rollout&tokens=16', 'over the budget of tokens'],
  ['inbox', '/inbox', 'Trondheim'],
  ['audit', '/governance', 'memory.remember'],
  ['tenant-audit', '/governance?tab=tenant', 'legalHolds.delete'],
  ['forget', '/governance?tab=forget', 'Check a receipt'],
  ['holds', '/governance?tab=holds', 'No legal hold is set.'],
  ['retention', '/governance?tab=retention', 'What retention would remove'],
  ['sources', '/governance?tab=sources', 'Nothing was taken back.'],
  ['performance', '/operations', 'What a recall spends its time on'],
  ['jobs', '/operations?tab=jobs', 'ExtractorError unavailable'],
  ['system', '/operations?tab=system', 'all-MiniLM-L6-v2'],
  ['tenants', '/operations?tab=tenants', 'Audit records'],
  ['users', '/operations?tab=users', 'Last change'],
  ['transfer', '/operations?tab=transfer', 'JSON Lines, for programs'],
];

/** What opens over a page: its address, the button that opens it, and the title. */
const dialogs: readonly (readonly [path: string, button: string, title: string])[] = [
  ['/', 't1 / me', 'Act for a user'],
  ['/memories/PINNED', 'Edit', 'Correct this memory'],
  ['/memories/PINNED', 'Forget…', 'Forget this memory?'],
  ['/subjects/me', 'Correct…', 'Correct this fact'],
  ['/subjects/me', 'Retract…', 'Retract?'],
  ['/conversations/trip-7', 'Replay…', 'Replay'],
  ['/documents/user/user_dynamic.json?tab=history&version=3', 'Restore…', 'Restore'],
  ['/inbox', 'Confirm…', 'Confirm?'],
  ['/governance?tab=retention', 'Save…', 'Change the ceilings?'],
  ['/operations?tab=jobs', 'Retry…', 'Retry'],
];

describeEachDatabase('every page', (database, kind) => {
  // Timings are those of the machine that runs the tests.
  const server = useServer(database, {
    ...{ jobs: 'true', embedder: 'local', objectiveRecallMs: '1000', objectiveWriteMs: '1000' },
    ...{ quotaTenantPerMinute: '6000', quotaUserPerMinute: '6000' },
  });
  const browser = useBrowser();
  let token = '';
  let pinned = '';
  const openPage = (path: string, theme: 'light' | 'dark') =>
    browser().open(server(), path.replace('PINNED', pinned), { token, theme });
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin', 'operator'] });
    await remember(server(), token);
    await holdConversation(server(), token);
    await addDeadLetters(database(), [
      { job: 'replay', payload: { tenantId: 't1', userId: 'me' } },
      { job: 'extract-episode', payload: { tenantId: 'globex', userId: 'ann' } },
    ]);
    const body = { query: 'Where do I live?' };
    for (let recalls = 0; recalls < 8; recalls++) {
      await server().call({ method: 'POST', path: '/v1/recall', body, token });
    }
    await writeDocuments(server(), token);
    const { memories } = (await server().call({ path: '/v1/memories?tag=tea', token })).body;
    pinned = memories[0].id;
    const hold = { path: '/v1/tenants/t1/legal-holds/case-1', token };
    await server().call({ ...hold, method: 'PUT', body: { reason: 'A lawsuit', user_ids: ['nobody'] } });
    await server().call({ ...hold, method: 'DELETE' });
  });

  it.each(pages)('%s is accessible in both themes and fits a narrow screen', async (name, path, text) => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await openPage(path, theme);
      await page.getByText(text).first().waitFor();
      await expectAccessible(page);
      if (kind === 'embedded') await takePicture(page, `${name}-${theme}`);
      if (theme === 'dark') continue;
      await page.setViewportSize({ width: 360, height: 740 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    expect(browser().takeFaults()).toEqual([]);
  });

  it.each([
    ['/governance', 'summary', 'Show'],
    ['/operations?tab=jobs', 'button', 'Retry…'],
    ['/operations?tab=users', 'a', 'Memories'],
    ['/conversations', 'td', '3'],
  ])('the tables of %s have all they have on a wide screen on a narrow one', async (path, element, text) => {
    const page = await browser().open(server(), path, { token, width: 360, height: 740 });
    const wanted = page.locator(`.table ${element}`, { hasText: text }).first();
    await wanted.waitFor();
    const { x, width } = (await wanted.boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
    await expectAccessible(page);
  });

  it.each([
    ['/recall?q=Where+do+I+live%3F', '.result', 'Settings', 'Results'],
    ['/memories', '.memory-row', 'Filters', 'Kind'],
    ['/governance', '.table summary', 'Filters', 'Operation'],
  ])('on a narrow screen, %s shows what was found before what can be set', async (path, found, fold, field) => {
    const page = await browser().open(server(), path, { token, width: 360, height: 740 });
    await page.locator(found).first().waitFor();
    const { y } = (await page.locator(found).first().boundingBox()) ?? { y: 1000 };
    expect(y).toBeLessThan(600);
    await page.locator('summary', { hasText: fold }).click();
    await page.getByLabel(field, { exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  it('the tab that is shown can be seen on a narrow screen', async () => {
    for (const path of ['/governance?tab=sources', '/operations?tab=transfer', '/inbox?show=quarantine']) {
      const page = await browser().open(server(), path, { token, width: 360, height: 740 });
      const { x, width } = (await page.getByRole('tab', { selected: true }).boundingBox()) ?? { x: -1, width: 0 };
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(360);
    }
  });

  it.each(dialogs)('at %s, "%s" opens a dialog that is accessible in both themes', async (path, button, title) => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await openPage(path, theme);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      const { x, width } = (await dialog.boundingBox()) ?? { x: -1, width: 0 };
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(360);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(browser().takeFaults()).toEqual([]);
  });
});
