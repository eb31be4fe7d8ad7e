import type { Command } from 'commander';

/** Shows how a command is used, under its help. */
export function withExamples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
