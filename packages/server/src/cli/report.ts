import type { Command } from 'commander';

type Counts = Readonly<Record<string, string | number | null | undefined>>;

/** Adds `--json` to a command that says what it did. */
export function addJsonOption(command: Command, description = 'Print the result as one line of JSON.'): Command {
  return command.option('--json', description);
}

/** Prints a result as text for people, or as one line of JSON. */
export function printResult(
  json: boolean | undefined,
  result: object,
  text: string,
  stream: NodeJS.WritableStream = process.stdout,
): void {
  stream.write(`${json ? JSON.stringify(result) : text}\n`);
}

/** Prints what a command counted: `Export complete: records=3`, or one line of JSON. */
export function printCounts(
  json: boolean | undefined,
  title: string,
  counts: Counts,
  stream: NodeJS.WritableStream = process.stdout,
): void {
  printResult(json, counts, `${title}: ${describeCounts(counts)}`, stream);
}

/** Leaves out what is undefined. */
export function describeCounts(counts: object): string {
  return Object.entries(counts)
    .filter(([, count]) => count !== undefined)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ');
}
