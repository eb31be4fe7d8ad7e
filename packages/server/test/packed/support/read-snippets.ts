import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Snippet {
  /** Path of the page in the repository. */
  page: string;
  language: string;
  code: string;
}

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Returns the code in the README files and the guide, in order. */
export function readSnippets(): Snippet[] {
  const guide = readdirSync(`${root}docs/guide`).sort();
  const pages = [
    'README.md',
    ...guide.map((name) => `docs/guide/${name}`),
    ...['agent', 'client', 'server'].map((name) => `packages/${name}/README.md`),
  ];
  return pages.flatMap((page) =>
    [...readFileSync(`${root}${page}`, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(
      ([, language = '', code = '']) => ({ page, language, code }),
    ),
  );
}
