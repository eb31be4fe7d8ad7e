import { openOutput } from '../composition/export-archive.js';
import type { ExportFormat } from '../engine/personal-export/export-part.js';
import { writeExport } from '../surfaces/one-memory/write-export.js';
import type { Environment } from './config-options.js';
import { memberOf, type OwnerOptions } from './memory-owner.js';
import { printResult } from './report.js';
import { withEngine } from './with-engine.js';

export interface ExportMineOptions extends OwnerOptions {
  format: ExportFormat;
  /** A file, or - for standard output. */
  output: string;
  json?: true;
}

/** Writes what one user owns, as the HTTP API exports it. */
export async function exportMine(environment: Environment, options: ExportMineOptions): Promise<void> {
  const member = memberOf(options, 'cli.exportMine');
  await withEngine(environment, options, async (engine) => {
    const output = await openOutput(options.output, true);
    try {
      // The output ends each line itself.
      for await (const text of writeExport(engine, member, options.format)) await output.write(text.replace(/\n$/, ''));
      await output.finish();
    } catch (error) {
      await output.abandon();
      throw error;
    }
  });
  const { output, json } = options;
  if (output !== '-') printResult(json, { output }, `Export complete: ${output}`);
}
