/** An entry of a curated file is a list item `- …`. Its further lines are indented by two spaces. */
const entryStart = '- ';
const continuation = '  ';

export function listEntries(file: string): string[] {
  return toBlocks(file).flatMap((block) => (isEntry(block) ? [readEntry(block)] : []));
}

export function addEntry(file: string, entry: string): string {
  const blocks = toBlocks(file);
  while (blocks.at(-1)?.trim() === '') blocks.pop();
  const last = blocks.at(-1);
  const apart = last === undefined || isEntry(last) ? [] : [''];
  return `${[...blocks, ...apart, writeEntry(entry)].join('\n')}\n`;
}

/** Returns the file with one entry replaced or removed. Headings and other text stay. */
export function replaceEntry(file: string, position: number, entry: string | undefined): string {
  let seen = -1;
  return toBlocks(file)
    .flatMap((block) => {
      if (isEntry(block)) seen += 1;
      if (!isEntry(block) || seen !== position) return [block];
      return entry === undefined ? [] : [writeEntry(entry)];
    })
    .join('\n');
}

/** Splits the file into lines, with all lines of an entry in one block. */
export function toBlocks(file: string): string[] {
  const blocks: string[] = [];
  for (const line of file.replaceAll('\r\n', '\n').split('\n')) {
    const last = blocks.at(-1);
    const goesOn = last !== undefined && isEntry(last) && line.startsWith(continuation);
    if (goesOn) blocks[blocks.length - 1] = `${last}\n${line}`;
    else blocks.push(line);
  }
  return file === '' ? [] : blocks;
}

export function isEntry(block: string): boolean {
  return block.startsWith(entryStart);
}

function readEntry(block: string): string {
  return block.slice(entryStart.length).replaceAll(`\n${continuation}`, '\n');
}

export function writeEntry(entry: string): string {
  return `${entryStart}${entry.trim().replace(/\r\n?/g, '\n').replaceAll('\n', `\n${continuation}`)}`;
}
