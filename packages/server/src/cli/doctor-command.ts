import { Command } from 'commander';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { examine, type Finding } from './doctor-checks.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

const marks: Record<Finding['state'], string> = { good: 'ok  ', warning: 'warn', bad: 'FAIL' };

export function doctorCommand(environment: Environment): Command {
  const command = new Command('doctor').description(
    'Check that a server can run with these settings, and explain how to fix each problem. Checks Node, the data directory, the database, the clock, the artifact store, the embedder, the reranker, the extractor, the keys, the ports and the memory plugin. Changes nothing. Exits with code 1 if a check fails; warnings do not count.',
  );
  addConfigOptions(addJsonOption(command, 'Print one JSON object per line: state, subject, message.'));
  withExamples(command, 'memhall doctor', 'memhall doctor --database-url postgres://memhall@localhost/memhall');
  return command.action(async (options: { json?: true }) => {
    const findings = await examine(configFrom(options, environment));
    for (const finding of findings) {
      const { state, subject, message } = finding;
      printResult(options.json, finding, `${marks[state]}  ${subject}: ${message}`);
    }
    if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1;
  });
}
