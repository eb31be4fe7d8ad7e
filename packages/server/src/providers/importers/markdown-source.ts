import { buffer } from 'node:stream/consumers';
import { StartUpError } from '@memhall/core';
import type { ForeignItem } from '../../ports/foreign-memories.js';
import { cutSections } from './cut-sections.js';
import { momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFile, ForeignFiles } from './foreign-files.js';

const mostBytes = 8 * 1024 * 1024;

/** A folder of Markdown, such as a vault of notes: one memory for each section. */
export async function* markdownSource({ kind, files, unfit }: ForeignFiles): AsyncGenerator<ForeignItem> {
  const isMarkdown = ({ name }: ForeignFile) => kind === 'file' || /\.(?:md|markdown)$/i.test(name);
  if (!files.some(isMarkdown)) throw new StartUpError('There is no Markdown file (.md, .markdown) in it.');
  for (const { name, reason } of unfit) yield { type: 'unfit', place: name, reason };
  for (const file of files) {
    if (!isMarkdown(file)) yield { type: 'unfit', place: file.name, reason: 'not Markdown' };
    else if (file.sizeBytes > mostBytes) yield { type: 'unfit', place: file.name, reason: 'larger than 8 MiB' };
    else yield* readFile(file);
  }
}

async function* readFile(file: ForeignFile): AsyncGenerator<ForeignItem> {
  const bytes = await buffer(file.read());
  if (bytes.includes(0)) {
    yield { type: 'unfit', place: file.name, reason: 'not text' };
    return;
  }
  const { about, body } = splitFrontMatter(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  const title = file.name.replace(/^.*\//, '').replace(/\.[^.]+$/, '');
  const occurredAt = momentOf(about.get('date'), about.get('updated'), about.get('created')) ?? file.modifiedAt;
  const tags = (about.get('tags') ?? '').split(',').flatMap((tag) => nameOf(tag.replace(/^#/, '')) ?? []);
  const author = nameOf(about.get('author'));
  let count = 0;
  for (const { key, headings, text } of cutSections(body)) {
    const whole = textOf(headings.length === 0 ? `${title}\n${text}` : text);
    if (whole === undefined) continue;
    count += 1;
    const place = key === '' ? file.name : `${file.name}, ${key}`;
    const details = { file: file.name, headings };
    yield {
      type: 'memory',
      place,
      id: `${file.name}#${key}`,
      kind: 'note',
      text: whole,
      occurredAt,
      author,
      tags,
      details,
    };
  }
  if (count === 0) yield { type: 'unfit', place: file.name, reason: 'a file without text' };
}

/** Reads plain members of the YAML before the text. Lists, in either notation, become texts with commas. */
function splitFrontMatter(text: string): { about: Map<string, string>; body: string } {
  const about = new Map<string, string>();
  const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === undefined) return { about, body: text };
  let name = '';
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line) ?? [];
    const [, entry] = /^\s*-\s+(.+)$/.exec(line) ?? [];
    if (key !== undefined) {
      name = key.toLowerCase();
      about.set(name, plain(value.replace(/^\[(.*)\]$/, '$1')));
    } else if (entry !== undefined && name !== '') {
      about.set(name, [about.get(name) ?? '', plain(entry)].filter((one) => one !== '').join(','));
    }
  }
  return { about, body: body ?? '' };
}

function plain(value: string): string {
  return value
    .split(',')
    .map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join(',');
}
