// Checks tarballs with publint and are-the-types-wrong, and prints what they find: node lint.mjs <tarball>…
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

for (const tarball of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const { problems = [], types } = await checkPackage(createPackageFromTarballData(bytes));
  // CommonJS can require ES modules in all versions of Node that we support, and older ways to resolve modules know no `exports`.
  const relevant = problems.filter(
    ({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
  );
  const found = [
    ...messages.map((message) => formatMessage(message, pkg, { color: false })),
    ...(types === false ? ['has no types'] : []),
    ...relevant.map(
      ({ kind, resolutionKind, entrypoint }) => `${problemKindInfo[kind].title} (${resolutionKind}, ${entrypoint})`,
    ),
  ];
  for (const line of found) process.stdout.write(`${basename(tarball)}: ${line}\n`);
  if (found.length > 0) process.exitCode = 1;
}
