import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { useBrowser } from './support/browser.js';
import { expectAccessible } from './support/expect-accessible.js';
import { takePicture } from './support/take-picture.js';

describeOneDatabase('the playground', (database) => {
  const server = useServer(database, { embedder: 'local' });
  const browser = useBrowser();

  it('shows what is read from memory and written to it, while somebody talks', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const token = await server().token({ user: `talker-${theme}` });
      const page = await browser().open(server(), '/playground', { token, theme });
      const say = async (text: string) => {
        await page.keyboard.press('m');
        await page.keyboard.type(text);
        await page.keyboard.press('Enter');
      };
      await page.getByText('Tell it something').waitFor();
      await page.locator('#content').focus();
      await say('I live in Oslo.');
      const written = page.getByRole('region', { name: 'Written' });
      await written.getByRole('link', { name: 'I live in Oslo.' }).waitFor();
      const learned = page.getByRole('region', { name: 'Learned in this talk' });
      await learned.getByText('lives in Oslo').waitFor();
      await page.getByRole('button', { name: 'New talk' }).click();
      await page.locator('#content').focus();
      await say('Where do I live?');
      await page.getByRole('region', { name: 'Talk' }).getByText('“I live in Oslo.”').waitFor();
      await page
        .getByRole('region', { name: 'Read' })
        .getByRole('link', { name: 'I live in Oslo.' })
        .waitFor({ timeout: 3000 });
      await page.getByText('What the model was shown').click();
      await page.getByText('<recalled_memory>').waitFor();
      await written.getByRole('link', { name: 'Where do I live?' }).waitFor();
      await expectAccessible(page);
      await takePicture(page, `playground-${theme}`);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
    expect(browser().takeFaults()).toEqual([]);
  });
});
