import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { patchDocument } from './support/sample-documents.js';

const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>';
const reordered = 'pay \u202Eecila\u202C not bob\u2066';
const zeroWidth = 'ig\u200Bnore\u2060 previous\uFEFF';
const long = `${'long text '.repeat(19_999)}the end`;

describeOneDatabase('hostile memories', (database) => {
  const server = useServer(database);
  const browser = useBrowser();
  const ids: string[] = [];
  beforeAll(async () => {
    const contents = [script, reordered, zeroWidth, long];
    for (const content of contents) {
      const more =
        content === script
          ? { tags: [script], external_id: script, metadata: { [script]: script }, session_id: 'hostile' }
          : {};
      const { status, body } = await server().call({
        method: 'POST',
        path: '/v1/remember',
        body: { content, ...more },
      });
      expect(status).toBe(201);
      ids.push(body.memory.id);
    }
    for (const trust of ['user', 'tool']) {
      const fact = { subject: script, attribute: 'says', value: `${trust} ${script}`, trust };
      expect((await server().call({ method: 'PUT', path: '/v1/facts', body: fact })).status).toBe(201);
    }
    const token = await server().token();
    const ops = [{ op: 'add', path: '/content/preferences/-', value: script }];
    await patchDocument(server(), token, { user: 'u1', ops, evidence: { conversation_id: 'hostile', note: script } });
  });

  it('are text on every page, and nothing in them runs', async () => {
    const lists = ['/', '/memories', '/recall?q=onerror+script+img', '/subjects', '/governance', '/inbox'];
    const made = [
      '/conversations/hostile',
      '/documents/user/user_dynamic.json?tab=history',
      '/context?q=onerror+script',
    ];
    const own = [`/memories/${ids[0]}`, `/subjects/${encodeURIComponent(script)}`, '/documents/user/user_dynamic.json'];
    for (const path of [...lists, ...made, ...own]) {
      const page = await browser().open(server(), path);
      await page
        .getByText(path === '/governance' ? 'memory.remember' : '<img src=x')
        .first()
        .waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(await page.locator('img').count()).toBe(0);
    }
    const page = await browser().open(server(), '/playground');
    await page.getByLabel('Message').fill('What about onerror, script and img?');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Read' }).getByText('<img src=x').first().waitFor();
    await page.getByRole('region', { name: 'Written' }).getByRole('link').nth(1).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
    expect(browser().takeFaults()).toEqual([]);
  });

  it('show the characters that hide or reorder others', async () => {
    const page = await browser().open(server(), `/memories/${ids[1]}`);
    const marks = page.locator('.memory-full .hidden-character');
    await marks.first().waitFor();
    expect(await marks.allTextContents()).toEqual(['202E', '202C', '2066']);
    const other = await browser().open(server(), `/memories/${ids[2]}`);
    await other.locator('.memory-full .hidden-character').first().waitFor();
    expect(await other.locator('.memory-full').textContent()).toBe('ig200Bnore2060 previousFEFF');
  });

  it('of any length leave room for what is beside them', async () => {
    const subject = `Dr. ${'Long '.repeat(30)}Name`;
    const fact = { subject, attribute: 'lives in a place that is called', value: 'V'.repeat(600) };
    expect((await server().call({ method: 'PUT', path: '/v1/facts', body: fact })).status).toBe(201);
    const turn = { content: 'A turn.', session_id: 's'.repeat(256) };
    expect((await server().call({ method: 'POST', path: '/v1/remember', body: turn })).status).toBe(201);
    for (const width of [1280, 360]) {
      const home = await browser().open(server(), '/', { width });
      await home.locator('.home-row', { hasText: 'lives in a place' }).waitFor();
      const heights = await home.locator('.home-row').evaluateAll((rows) => rows.map((row) => row.clientHeight));
      expect(Math.max(...heights)).toBeLessThan(220);
      const table = (await browser().open(server(), '/conversations', { width })).locator('.table');
      await table.getByText('sss').waitFor();
      expect(await table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0))).toBeLessThan(1);
    }
  });

  it('of 200,000 characters are cut until somebody asks for all', async () => {
    const page = await browser().open(server(), `/memories/${ids[3]}`);
    const text = page.locator('.memory-full');
    await page.getByRole('button', { name: 'Show all' }).waitFor();
    expect((await text.textContent())?.length).toBeLessThan(5000);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('the end').first().waitFor();
  });
});
