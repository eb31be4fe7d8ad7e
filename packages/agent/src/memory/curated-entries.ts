/** One note of a curated file: a list item `- …`, with lines indented by two spaces if it has several. */
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

/** The file with one entry in place of another, or without it. Headings and text that people wrote around stay. */
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

/** Lines, with those of an entry together. */
function toBlocks(file: string): string[] {
  const blocks: string[] = [];
  for (const line of file.replaceAll('\r\n', '\n').split('\n')) {
    const last = blocks.at(-1);
    const goesOn = last !== undefined && isEntry(last) && line.startsWith(continuation);
    if (goesOn) blocks[blocks.length - 1] = `${last}\n${line}`;
    else blocks.push(line);
  }
  return file === '' ? [] : blocks;
}

function isEntry(block: string): boolean {
  return block.startsWith(entryStart);
}

function readEntry(block: string): string {
  return block.slice(entryStart.length).replaceAll(`\n${continuation}`, '\n');
}

function writeEntry(entry: string): string {
  return `${entryStart}${entry.trim().replace(/\r\n?/g, '\n').replaceAll('\n', `\n${continuation}`)}`;
}
