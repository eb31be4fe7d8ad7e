import { spawn } from 'node:child_process';

interface TerminalOptions {
  environment?: Readonly<Record<string, string>>;
  /** What to type once a text was shown, in this order. */
  answers?: readonly (readonly [shown: string, typed: string])[];
}

/** Runs a program on a terminal of its own, made by `script`, and returns what it showed. */
export async function runInTerminal(
  words: readonly string[],
  { environment = {}, answers = [] }: TerminalOptions = {},
): Promise<{ code: number | null; output: string }> {
  const line = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', `stty cols 100; ${line}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', ...environment },
  });
  const open = [...answers];
  let output = '';
  let unread = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    unread += chunk;
    const [next] = open;
    if (next === undefined || !unread.includes(next[0])) return;
    open.shift();
    unread = '';
    child.stdin.write(`${next[1]}\n`);
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}
