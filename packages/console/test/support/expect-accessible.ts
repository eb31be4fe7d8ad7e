import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects that axe finds nothing serious or critical on the page, and no fault of WCAG 2.2 AA of any weight. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  )) as AxeResults;
  const serious = violations
    .filter(({ impact, tags }) => impact === 'serious' || impact === 'critical' || !tags.includes('best-practice'))
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) }));
  expect(serious).toEqual([]);
}
