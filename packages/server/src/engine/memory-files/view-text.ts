import { Refusal } from './refusal.js';

/** The widest line number has six digits. */
const maxLines = 999_999;
const numberWidth = String(maxLines).length;
/** Lines before and after a change that are shown with it. */
const around = 2;
const units = ['B', 'K', 'M', 'G'];

/** Throws Refusal if a text has more lines than can be numbered. */
export function checkLines(shown: string, lines: readonly string[]): void {
  if (lines.length <= maxLines) return;
  throw new Refusal(`File ${shown} exceeds maximum line limit of ${maxLines.toLocaleString('en')} lines.`);
}

/** Returns what `view` shows of a file. Without a range of two numbers it shows everything; -1 stands for the end. */
export function viewFile(shown: string, lines: readonly string[], range: readonly number[] = []): string {
  checkLines(shown, lines);
  const [from = 1, to = -1] = range.length === 2 ? range : [];
  const start = Math.max(1, from);
  const visible = lines.slice(start - 1, to === -1 ? lines.length : to);
  return `Here's the content of ${shown} with line numbers:\n${numbered(visible, start)}`;
}

/** Returns the lines around a change, numbered. `line` counts from 1. */
export function viewAround(lines: readonly string[], line: number): string {
  const start = Math.max(1, line - around);
  return numbered(lines.slice(start - 1, line + around), start);
}

interface SizedFile {
  /** Below `/memories`. */
  name: string;
  sizeBytes: number;
}

/**
 * Returns what `view` shows of a directory: files and directories up to two levels below it, without those whose names begin with a dot.
 * The size of a directory is that of all files in it.
 */
export function viewDirectory(name: string, shown: string, files: readonly SizedFile[]): string {
  const below = name === '' ? 0 : name.length + 1;
  const sizes = new Map<string, number>();
  let total = 0;
  for (const file of files) {
    total += file.sizeBytes;
    const parts = file.name.slice(below).split('/');
    for (const depth of [1, 2]) {
      if (parts.length < depth || isHidden(parts[depth - 1] ?? '')) break;
      const entry = `${parts.slice(0, depth).join('/')}${parts.length > depth ? '/' : ''}`;
      sizes.set(entry, (sizes.get(entry) ?? 0) + file.sizeBytes);
    }
  }
  const entries = [...sizes].sort(([one], [other]) => compareEntries(one, other));
  const listed = entries.map(([entry, size]) => `${toSize(size)}\t${shown}/${entry}`);
  const title = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  return [title, `${toSize(total)}\t${shown}`, ...listed].join('\n');
}

/** Returns a size in bytes as a person reads it: `12B`, `1.5K`. */
export function toSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[unit]}`;
}

function isHidden(part: string): boolean {
  return part.startsWith('.') || part === 'node_modules';
}

/** Compares part by part, so that what is in a directory follows it. */
function compareEntries(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (const [index, part] of left.entries()) {
    const opposite = right[index] ?? '';
    if (part !== opposite) return part < opposite ? -1 : 1;
  }
  return left.length - right.length;
}

function numbered(lines: readonly string[], start: number): string {
  return lines.map((line, index) => `${String(start + index).padStart(numberWidth)}\t${line}`).join('\n');
}
