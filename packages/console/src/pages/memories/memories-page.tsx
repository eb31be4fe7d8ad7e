import { Page } from '../../parts/page.js';

export function MemoriesPage() {
  return <Page title="Memories">{null}</Page>;
}
