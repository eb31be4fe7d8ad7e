import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';

describeOneDatabase('a moment', (database) => {
  const server = useServer(database);
  // Before 1893, its clock was 53 minutes and 28 seconds ahead.
  const browser = useBrowser('Europe/Berlin');

  it('is typed without a key between its parts, in the time zone of the browser, and asked for once', async () => {
    const page = await browser().open(server(), '/recall?q=tea');
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/recall')) asked.push(request.postDataJSON().as_of);
    });
    const field = page.getByLabel('True as of');
    await field.click({ position: { x: 15, y: 15 } });
    await page.keyboard.type('03012025090000AM', { delay: 20 });
    await page.waitForURL(/as_of/);
    expect(await field.inputValue()).toBe('2025-03-01T09:00');
    expect(new URL(page.url()).searchParams.get('as_of')).toBe('2025-03-01T08:00:00.000Z');
    await field.click({ position: { x: 60, y: 15 } });
    await page.keyboard.type('2024', { delay: 20 });
    await page.waitForURL(/as_of=2024/);
    expect(await field.inputValue()).toBe('2024-03-01T09:00');
    expect(asked.every((moment) => moment === undefined || String(moment).startsWith('202'))).toBe(true);
    await page.goBack();
    await page.goto(`${server().url}/console/recall?q=tea&as_of=2023-05-01T10:00:00.000Z`);
    expect(await page.getByLabel('True as of').inputValue()).toBe('2023-05-01T12:00');
    expect(browser().takeFaults()).toEqual([]);
  });
});
