import { Page } from '../../parts/page.js';

export function MemoryPage() {
  return <Page title="Memory">{null}</Page>;
}
