import { engineRooms, layers, packages } from '../rooms.mjs';

/** Returns the page with its tables of packages and folders rewritten from the import rules. @param {string} page */
export function toArchitecture(page) {
  return [
    ['packages', toTable('package', packages)],
    ['layers', toTable('folder of `packages/server/src`', layers)],
    ['engine', toTable('folder of `engine`', engineRooms)],
  ].reduce((text, [name = '', table = '']) => replaceBetween(text, name, table), page);
}

/** @param {string} heading @param {Record<string, import('../rooms.mjs').Room>} rooms */
function toTable(heading, rooms) {
  const rows = Object.entries(rooms).map(([name, { purpose, uses }]) => {
    const used = uses.length === 0 ? '' : uses.map((one) => `\`${one}\``).join(', ');
    return `| \`${name}\` | ${purpose} | ${used} |`;
  });
  return [`| ${heading} | what it is for | may import |`, '| --- | --- | --- |', ...rows].join('\n');
}

/** @param {string} text @param {string} name @param {string} table */
function replaceBetween(text, name, table) {
  const [begin, end] = [`<!-- ${name}: generated from scripts/rooms.mjs -->`, `<!-- end of ${name} -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`ARCHITECTURE.md has no section ${name}.`);
  return `${text.slice(0, start)}${begin}\n${table}\n${text.slice(stop)}`;
}
