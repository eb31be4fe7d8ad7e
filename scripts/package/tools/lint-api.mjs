// Checks OpenAPI documents with Redocly's recommended rules, and prints what they find: node lint-api.mjs <document>…
// This part of Redocly works offline and reports nothing to anybody.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended'] });
for (const path of process.argv.slice(2)) {
  const problems = await lintFromString({ source: readFileSync(path, 'utf8'), absoluteRef: path, config });
  for (const { ruleId, message, location } of problems) {
    process.stdout.write(`${basename(path)}: ${ruleId}: ${message} ${location[0]?.pointer ?? ''}\n`);
  }
}
