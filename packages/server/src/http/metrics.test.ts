import { expect, it } from 'vitest';
import { Metrics } from './metrics.js';

it('counts refused extractions by extractor and reason', async () => {
  const metrics = new Metrics();
  metrics.countExtractionRefusals('llm-1:m', 'words', 2);
  metrics.countExtractionRefusals('llm-1:m', 'words', 1);
  expect(await metrics.registry.metrics()).toContain(
    'memhall_extraction_refused_total{extractor="llm-1:m",reason="words"} 3',
  );
});
