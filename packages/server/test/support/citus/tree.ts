/** A node of a parsed statement. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns the contents of all nodes of a kind, whatever they are in. */
export function nodesIn(tree: unknown, kind: string): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((part) => nodesIn(part, kind));
  if (tree === null || typeof tree !== 'object') return [];
  return Object.entries(tree).flatMap(([name, value]) => [
    ...(name === kind ? [value as Node] : []),
    ...nodesIn(value, kind),
  ]);
}

/** Returns the name of the function that is called, without its schema. */
export function callName(call: Node): string {
  return namesOf(call.funcname).at(-1) ?? '';
}

/** Returns a list of names; `*` for all columns. */
export function namesOf(parts: unknown): string[] {
  return ((parts ?? []) as { String?: { sval: string } }[]).map((part) => part.String?.sval ?? '*');
}
