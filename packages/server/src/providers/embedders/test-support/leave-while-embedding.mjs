import { setTimeout as delay } from 'node:timers/promises';
import { openMinilmEmbedder } from '../../../../dist/providers/embedders/minilm-embedder.js';

// Runs as a separate process, because the tests check how it exits.
const [way, cacheDirectory] = process.argv.slice(2);
if (way === 'exit-while-loading') setTimeout(() => process.exit(7), 250);
const embedder = await openMinilmEmbedder({ cacheDirectory });
const passages = Array.from({ length: 400 }, (_, i) => `The user mentioned fact number ${i} last week`);

if (way === 'exit-while-busy') {
  embedder.embed(passages).catch(() => undefined);
  await delay(30);
  process.exit(7);
}
if (way === 'close-while-busy') {
  embedder.embed(passages).catch(() => undefined);
  await delay(30);
  await embedder.close();
}
if (way === 'never-close') await embedder.embed(passages.slice(0, 10));
