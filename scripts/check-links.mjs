// Checks that every link between Markdown files leads to a file, and to a heading if it names one. Run by `npm run check`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, walkTokens } from 'marked';

/** @typedef {{ targets: string[], anchors: Set<string> }} Page what a page links to, and what can be linked to in it */

/**
 * Returns one line per violation.
 * @param {{ path: string, text: string }[]} files
 * @param {(path: string) => boolean} exists
 */
export function findBrokenLinks(files, exists) {
  const pages = new Map(files.map(({ path, text }) => [path, readPage(text)]));
  return [...pages].flatMap(([path, { targets }]) =>
    targets.flatMap((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
      if (!exists(to)) return [`${path}: links to ${target}, which does not exist`];
      const page = pages.get(to);
      if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return [];
      return [`${path}: links to ${target}, but ${to} has no such heading`];
    }),
  );
}

/** @param {string} text @returns {Page} */
function readPage(text) {
  /** @type {Page} */
  const page = { targets: [], anchors: new Set() };
  walkTokens(lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') {
      if (!/^(\w+:|\/\/)/.test(token.href)) page.targets.push(token.href);
    } else if (token.type === 'heading') {
      page.anchors.add(unused(toAnchor(token.text), page.anchors));
    } else if (token.type === 'html') {
      for (const [, id = ''] of token.text.matchAll(/\bid="([^"]+)"/g)) page.anchors.add(id);
    }
  });
  return page;
}

/** As GitHub names the anchor of a heading. @param {string} heading */
function toAnchor(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Headings with the same text get numbers. @param {string} anchor @param {Set<string>} used */
function unused(anchor, used) {
  let free = anchor;
  for (let number = 1; used.has(free); number++) free = `${anchor}-${number}`;
  return free;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  // A file that was deleted but not committed yet is still listed.
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(root + path));
  const files = paths.map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
  const violations = findBrokenLinks(files, (path) => existsSync(root + path));
  for (const violation of violations) console.error(violation);
  console.log(`Links: ${files.length} pages, ${violations.length} broken links.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
