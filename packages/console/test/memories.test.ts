import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { writeDocuments } from './support/sample-documents.js';

describeOneDatabase('memories in the console', (database) => {
  const server = useServer(database);
  const browser = useBrowser();
  let token = '';
  const remember = async (content: string, more: object = {}): Promise<string> => {
    const body = { content, ...more };
    return (await server().call({ method: 'POST', path: '/v1/remember', body, token })).body.memory.id;
  };
  const list = async (query: string) =>
    (await server().call({ path: `/v1/memories?${query}`, token })).body.memories as { id: string; pin: boolean }[];
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin'] });
  });

  it('selects from one to another, changes all of them, and takes it back', async () => {
    for (const number of [1, 2, 3, 4]) await remember(`Row ${number}.`, { tags: ['row'], pin: number === 2 });
    const page = await browser().open(server(), '/memories?tag=row', { token });
    await page.getByLabel('Select: Row 4.').check();
    await page.getByLabel('Select: Row 2.').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Pin…', exact: true }).click();
    await page.getByRole('button', { name: 'Pin 3 memories' }).click();
    await page.getByText('Pinned: 3 of 3 memories.').waitFor();
    expect((await list('tag=row')).filter(({ pin }) => pin)).toHaveLength(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await list('tag=row')).filter(({ pin }) => pin)).toHaveLength(1);
    await page.getByLabel('Select all that are listed').check();
    await page.getByText('4 selected').waitFor();
  });

  it('shows in the list what was changed on the page of a memory, and not what was forgotten there', async () => {
    await remember('The gate opens at six.', { tags: ['gate'] });
    const page = await browser().open(server(), '/memories?tag=gate', { token });
    await page.getByRole('link', { name: 'The gate opens at six.' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('The gate opens at seven.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.memory-full', { hasText: 'seven' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'The gate opens at seven.' }).click();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.locator('.memory-row').first().waitFor();
    expect(await page.getByText('The gate opens').count()).toBe(0);
  });

  it('forgets the copies of a memory with it', async () => {
    const id = await remember('The door code is 4711.', { tags: ['code'] });
    await remember('The door code is 4711.', { kind: 'semantic', tags: ['code'] });
    const page = await browser().open(server(), `/memories/${id}`, { token });
    const copies = page.getByRole('region', { name: 'Copies' });
    await copies.getByRole('link', { name: 'The door code is 4711.' }).waitFor();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByLabel('Forget its copies too').check();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    expect(await list('tag=code')).toEqual([]);
  });

  it('leads from a part of a document to the document, and offers nothing that is refused', async () => {
    await writeDocuments(server(), token);
    const [part] = await list('kind=document');
    const page = await browser().open(server(), `/memories/${part?.id}`, { token });
    const open = page.getByRole('link', { name: 'Open the document' });
    await open.waitFor();
    for (const name of ['Edit', 'Pin', 'Forget…']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    await open.click();
    await page.getByRole('heading', { name: 'Content' }).waitFor();
  });

  it('shows with an unconfirmed fact where it comes from and what is believed now', async () => {
    await remember('I live in Oslo.');
    await remember('They told me that I live in Stavanger.', { trust: 'tool' });
    const id = await remember('A letter came from Stavanger, where I live.', { trust: 'tool' });
    const fact = { subject: 'me', attribute: 'lives in', value: 'Stavanger', trust: 'tool', evidence: [id] };
    await server().call({ method: 'PUT', path: '/v1/facts', body: fact, token });
    const page = await browser().open(server(), '/inbox', { token });
    const item = page.getByRole('region', { name: /Unconfirmed/ });
    await item.locator('mark', { hasText: 'Stavanger' }).waitFor();
    await item.getByText('Oslo').waitFor();
    expect(browser().takeFaults()).toEqual([]);
  });
});
