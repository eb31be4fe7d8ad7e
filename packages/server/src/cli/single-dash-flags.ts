/** Turns `-dry-run` into `--dry-run`, which some users are used to. Only for commands without short flags. */
export function withLongFlags(args: readonly string[]): string[] {
  return args.map((argument) => (/^-[a-z][a-z-]+(=|$)/.test(argument) ? `-${argument}` : argument));
}
