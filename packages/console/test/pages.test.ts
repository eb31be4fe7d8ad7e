import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';
import { remember } from './support/sample-data.js';

/** With MEMHALL_TEST_SCREENSHOTS, the pictures of the guide are made again. */
const pictures = fileURLToPath(new URL('../../../docs/console', import.meta.url));
const takesPictures = process.env.MEMHALL_TEST_SCREENSHOTS !== undefined;

/** Every page: its name, its address, and something that is there once it has its answers. */
const pages: readonly (readonly [name: string, path: string, text: string | RegExp])[] = [
  ['home', '/', 'Needs a decision'],
  ['recall', '/recall?q=Where+do+I+live%3F&superseded=1', 'no longer true'],
  ['compare', '/recall?q=Where+do+I+live%3F&vs=superseded%3D1', 'new'],
  ['memories', '/memories', 'I take my tea without milk.'],
  ['subjects', '/subjects', 'Waiting for your word'],
  ['subject', '/subjects/me', 'superseded'],
  ['inbox', '/inbox', 'Trondheim'],
  ['audit', '/governance', 'memory.remember'],
  ['forget', '/governance?tab=forget', 'Check a receipt'],
  ['holds', '/governance?tab=holds', 'No legal hold is set.'],
];

describeEachDatabase('every page', (database, kind) => {
  const server = useServer(database, { embedder: 'local' });
  const browser = useBrowser();
  let token = '';
  beforeAll(async () => {
    token = await server().token({ user: 'me', roles: ['admin', 'operator'] });
    await remember(server(), token);
    if (takesPictures) mkdirSync(pictures, { recursive: true });
  });

  it.each(pages)('%s is accessible in both themes and fits a narrow screen', async (name, path, text) => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await browser().open(server(), path, { token, theme });
      await page.getByText(text).first().waitFor();
      await expectAccessible(page);
      if (takesPictures && kind === 'embedded') {
        await page.screenshot({ path: `${pictures}/${name}-${theme}.png` });
      }
      if (theme === 'dark') continue;
      await page.setViewportSize({ width: 360, height: 740 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    expect(browser().takeFaults()).toEqual([]);
  });
});
