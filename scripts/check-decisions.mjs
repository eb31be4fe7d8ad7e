// Checks the decision records in docs/decisions. Run by `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ name: string, text: string }} DecisionFile */

const directory = fileURLToPath(new URL('../docs/decisions/', import.meta.url));
const index = 'README.md';

const namePattern = /^(\d{4})-[a-z0-9-]+\.md$/;
const titlePattern = /^# (\d+)\. (\S.*)$/;
const statusPattern =
  /^Status: (accepted(?:, amended by \d{4}(?: and \d{4}|(?:, \d{4})+ and \d{4})?)?|superseded by \d{4}) · Date: (\d{4}-\d{2}-\d{2})$/;
const linkPattern = /\]\((\d{4}-[^)#]*)/g;

/**
 * Returns one line per violation. `files` are all files of the folder, the index included.
 * @param {readonly DecisionFile[]} files
 */
export function findViolations(files) {
  const names = new Set(files.map(({ name }) => name));
  const table = files.find(({ name }) => name === index)?.text.split('\n') ?? [];
  const records = files.filter(({ name }) => name !== index).sort((one, other) => (one.name < other.name ? -1 : 1));
  const listed = table.filter((line) => /^\| \d{4} \|/.test(line)).length;
  return [
    ...records.flatMap((record, position) => checkRecord(record, position + 1, records.length, table)),
    ...(listed === records.length ? [] : [`${index}: lists ${listed} records, but there are ${records.length}`]),
    ...files.flatMap(({ name, text }) =>
      [...text.matchAll(linkPattern)].flatMap(([, target = '']) =>
        names.has(target) ? [] : [`${name}: links to ${target}, which does not exist`],
      ),
    ),
  ];
}

/** @param {DecisionFile} record @param {number} expected @param {number} last @param {readonly string[]} table */
function checkRecord({ name, text }, expected, last, table) {
  const number = namePattern.exec(name)?.[1];
  if (number === undefined) return [`${name}: must be named NNNN-short-title.md`];
  if (Number(number) !== expected)
    return [`${name}: must have number ${pad(expected)}, so that numbers are contiguous`];

  const [heading = '', blank, statusLine = ''] = text.split('\n');
  const [, headingNumber, title] = titlePattern.exec(heading) ?? [];
  if (title === undefined || Number(headingNumber) !== expected)
    return [`${name}: must begin with the heading "# ${expected}. Title"`];

  const [, status = '', date = ''] = statusPattern.exec(statusLine) ?? [];
  if (blank !== '' || !isDate(date))
    return [`${name}: the third line must be "Status: accepted · Date: YYYY-MM-DD"; ${index} lists the other statuses`];

  const later = (status.match(/\d{4}/g) ?? []).map(Number);
  if (later.some((other) => other <= expected || other > last))
    return [`${name}: can be amended or superseded only by a later record`];

  const row = `| ${number} | [${title}](${name}) | ${status} | ${date} |`;
  return table.includes(row) ? [] : [`${index}: must have the row ${row}`];
}

/** @param {number} number */
function pad(number) {
  return String(number).padStart(4, '0');
}

/** @param {string} text */
function isDate(text) {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync(directory).map((name) => ({ name, text: readFileSync(`${directory}${name}`, 'utf8') }));
  const violations = findViolations(files);
  for (const violation of violations) console.error(violation);
  console.log(`Decisions: ${files.length - 1} records, ${violations.length} violations.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
