/** Returns the name that is most like a mistyped one, or undefined if none is. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = plain(typed);
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(wanted, plain(name)) }))
    .sort((one, other) => one.edits - other.edits);
  return best !== undefined && best.edits <= Math.max(2, wanted.length / 4) ? best.name : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Counts the letters to add, remove or replace. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
