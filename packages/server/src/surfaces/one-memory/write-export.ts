import type { Engine } from '../../engine/engine.js';
import type { Member } from '../../engine/one-memory/member.js';
import { exportOwn } from '../../engine/personal-export/export-own.js';
import type { ExportFormat, ExportPart } from '../../engine/personal-export/export-part.js';
import { ExportMarkdown } from './export-markdown.js';
import { toExportRecord } from './to-export-record.js';

/** Yields the text of an export of what the user owns: JSON Lines for programs, or Markdown for people. */
export async function* writeExport(engine: Engine, member: Member, format: ExportFormat): AsyncGenerator<string> {
  const write = format === 'markdown' ? markdown(member) : lines(member);
  for await (const page of exportOwn(engine, member, format)) yield write(page);
}

type Write = (page: readonly ExportPart[]) => string;

function lines(member: Member): Write {
  return (page) => page.map((part) => `${JSON.stringify(toExportRecord(member, part))}\n`).join('');
}

function markdown(member: Member): Write {
  const text = new ExportMarkdown(member);
  return (page) => page.map((part) => text.add(part)).join('');
}
