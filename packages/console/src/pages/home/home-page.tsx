import { Page } from '../../parts/page.js';

export function HomePage() {
  return <Page title="Home">{null}</Page>;
}
