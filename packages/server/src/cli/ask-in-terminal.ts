import { createInterface } from 'node:readline';
import { StartUpError } from '@memhall/core';

/**
 * Asks one question after the other and returns the answers. Lines that were typed ahead are answers, too. Throws
 * StartUpError if the user ends it with Ctrl+C or Ctrl+D.
 */
export async function askInTerminal(questions: readonly string[], output: NodeJS.WritableStream): Promise<string[]> {
  const terminal = createInterface({ input: process.stdin, output });
  const lines = terminal[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      terminal.setPrompt(question);
      terminal.prompt();
      const { value, done } = await lines.next();
      if (done) {
        output.write('\n');
        throw new StartUpError('Interrupted. Nothing was changed.');
      }
      answers.push(value.trim());
    }
    return answers;
  } finally {
    terminal.close();
  }
}

/** Asks whether to go on. Anything but yes means no. */
export async function confirmInTerminal(question: string, output: NodeJS.WritableStream): Promise<boolean> {
  const [answer = ''] = await askInTerminal([`${question} [y/N] `], output);
  return /^y(es)?$/i.test(answer);
}
