/** `-dry-run` for `--dry-run`, as some who move here are used to. Only for commands without short flags of their own. */
export function withLongFlags(args: readonly string[]): string[] {
  return args.map((argument) => (/^-[a-z][a-z-]+(=|$)/.test(argument) ? `-${argument}` : argument));
}
