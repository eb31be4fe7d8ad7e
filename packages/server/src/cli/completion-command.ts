import { Argument, Command } from 'commander';
import { toNodes } from './command-tree.js';
import { type CompletionShell, completionShells, toCompletionScript } from './completion-scripts.js';
import { withExamples } from './examples.js';

/** @param buildWhole builds the program with all its commands */
export function completionCommand(buildWhole: () => Promise<Command>): Command {
  const command = new Command('completion')
    .description(
      'Print a script that lets a shell complete the commands, options and values of memhall. Print it again after an upgrade.',
    )
    .addArgument(new Argument('<shell>', 'The shell.').choices(completionShells));
  withExamples(
    command,
    'memhall completion bash > ~/.local/share/bash-completion/completions/memhall',
    'memhall completion zsh > ~/.zfunc/_memhall   # a directory in $fpath',
    'memhall completion fish > ~/.config/fish/completions/memhall.fish',
    'source <(memhall completion bash)   # for this shell alone',
  );
  return command.action(async (shell: CompletionShell) => {
    process.stdout.write(toCompletionScript(shell, toNodes(await buildWhole())));
  });
}
