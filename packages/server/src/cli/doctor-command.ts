import { Command } from 'commander';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { examine, type Finding } from './doctor-checks.js';
import { withExamples } from './examples.js';

const marks: Record<Finding['state'], string> = { good: 'ok  ', warning: 'warn', bad: 'FAIL' };

export function doctorCommand(environment: Environment): Command {
  const command = new Command('doctor').description(
    'Check what a server needs here (Node, data directory, database, artifact store, embedder, keys, clock, ports) and say what to do about each fault. Changes nothing. Exit code 1 on a fault.',
  );
  addConfigOptions(command);
  withExamples(command, 'memhall doctor', 'memhall doctor --database-url postgres://memhall@localhost/memhall');
  return command.action(async (options: Record<string, unknown>) => {
    const findings = await examine(configFrom(options, environment));
    for (const { state, subject, message } of findings)
      process.stdout.write(`${marks[state]}  ${subject}: ${message}\n`);
    if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1;
  });
}
