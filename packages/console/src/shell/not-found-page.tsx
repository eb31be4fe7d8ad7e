import { Empty } from '../parts/answer.js';
import { Page } from '../parts/page.js';

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <Empty title="The console has no page at this address.">Choose one from the menu.</Empty>
    </Page>
  );
}
