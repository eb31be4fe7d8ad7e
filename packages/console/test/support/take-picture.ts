import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const pictures = fileURLToPath(new URL('../../../../docs/console', import.meta.url));

/** With MEMHALL_TEST_SCREENSHOTS, makes a picture of the guide again. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.MEMHALL_TEST_SCREENSHOTS === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}
