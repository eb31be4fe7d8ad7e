// Rejects phrases that a reader has to read twice. Run by `npm run check:format`.
// The list is short on purpose: each entry was common here once, and each has a plain word. Add one only if it keeps coming back.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @type {{ phrase: RegExp, instead: string }[]} */
export const banned = [
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\bwhoever\b/i, instead: 'the caller, the owner, the next reader' },
  {
    phrase: /\b(?:go|goes|went|going) by (?:it|its|the|what|rows|this|that|those|these)\b/i,
    instead: 'uses, is based on',
  },
  { phrase: /\bmak(?:e|es|ing) of (?:it|its|the|what|a)\b/i, instead: 'derives from' },
  {
    phrase: /\banswers (?:how|whether|which|what|true|false|null|undefined|the (?:number|id|count|tag))\b/i,
    instead: 'returns',
  },
  { phrase: /\b(?:is|are|was|were|be|been) told (?:of|and|by|below|above|in a|with)\b/i, instead: 'reported' },
  { phrase: /\b(?:has|have|had) not got\b|\bhasn't got\b/i, instead: 'lacks, does not have' },
  { phrase: /\b(?:sees|see|seen) to (?:it|the rest|that)\b/i, instead: 'handles' },
  { phrase: /\bheld? against (?:its|the) contract\b/i, instead: 'checked against the contract' },
  { phrase: /\bat odds\b/i, instead: 'contradicts, differs from' },
];

/** Files whose words are not ours to change, or are data. */
const exempt =
  /^(?:packages\/server\/migrations\/|packages\/server\/src\/providers\/extractors\/llm\/instructions\.ts|benchmarks\/results\/|benchmarks\/peers\/|LICENSE|scripts\/check-english|packages\/[^/]+\/test-data\/|docs\/reference\/)/;

/** @param {{ path: string, text: string }[]} files @returns {string[]} one line per violation */
export function findPhrases(files) {
  return files
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) =>
        banned.flatMap(({ phrase, instead }) => {
          const found = phrase.exec(line)?.[0];
          return found === undefined ? [] : [`${path}:${index + 1}: "${found}": write ${instead}`];
        }),
      ),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', [
    'ls-files',
    '-co',
    '--exclude-standard',
    '*.ts',
    '*.mjs',
    '*.md',
    '*.sh',
    '*.yaml',
    '*.yml',
  ]);
  const paths = listed
    .toString()
    .split('\n')
    .filter((path) => path !== '');
  const files = paths.flatMap((path) => readIfThere(path));
  const violations = findPhrases(files);
  for (const violation of violations) console.error(violation);
  console.log(`English: ${files.length} files, ${violations.length} banned phrases.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

/** A file that was deleted but not committed yet is still listed. @param {string} path */
function readIfThere(path) {
  try {
    return [{ path, text: readFileSync(path, 'utf8') }];
  } catch {
    return [];
  }
}
