import type { Locator, Page } from 'playwright-core';

/** Counts the clicks of a task. */
export function countClicks(page: Page) {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  return {
    click,
    link: (name: string) => click(page.getByRole('link', { name, exact: true }).first()),
    count: () => clicks,
  };
}
