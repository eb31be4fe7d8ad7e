import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Describes the machine only as far as it explains the numbers: no names, no paths. */
export function describeMachine() {
  return {
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/**
 * @param {string} name
 * @param {object} result
 * @returns {string} path of the file, relative to the repository
 */
export function writeResult(name, result) {
  const file = `results/${name}.json`;
  mkdirSync(new URL('../results', import.meta.url), { recursive: true });
  writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), `${JSON.stringify(result, null, 2)}\n`);
  return `benchmarks/${file}`;
}

/**
 * Renders a Markdown table, aligned for reading as plain text. The first column is text, the others are numbers.
 * @param {string[]} head
 * @param {string[][]} lines
 */
export function toTable(head, lines) {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  const toLine = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((size, column) => (column === 0 ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`)).join(' | ')} |`;
  return [toLine(head), rule, ...lines.map(toLine)].join('\n');
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * @param {number} value
 * @param {number} digits number of decimals
 */
export function round(value, digits) {
  return Number(value.toFixed(digits));
}
