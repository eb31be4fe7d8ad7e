import type { GovernedDocument } from '../../engine/documents/governed-document.js';
import type { SeenFact } from '../../engine/facts/read-facts.js';
import { describeOrigin } from '../../engine/one-memory/describe-origin.js';
import type { Member } from '../../engine/one-memory/member.js';
import { isOwn } from '../../engine/one-memory/reading.js';
import { sayOrigin } from '../../engine/one-memory/say-origin.js';
import type { ExportCounts, ExportPart, ExportSection } from '../../engine/personal-export/export-part.js';
import { textSchemaId, toText } from '../../engine/text-lines.js';
import type { Memory } from '../../ports/memories.js';
import type { Resource } from '../../ports/resources.js';
import { fenceFor, inline, item, quoted } from './markdown-text.js';

const titles: Readonly<Record<ExportSection | 'facts' | 'documents', string>> = {
  facts: 'Facts',
  remembered: 'Remembered',
  notes: 'Notes',
  documents: 'Documents',
  conversations: 'Conversations',
  files: 'Files',
};

/** Writes the parts of an export, in their order, as text that a person can read. */
export class ExportMarkdown {
  readonly #member: Member;
  #section = '';
  #group = '';

  constructor(member: Member) {
    this.#member = member;
  }

  add(part: ExportPart): string {
    switch (part.type) {
      case 'begin':
        return `# Memory of ${inline(this.#member.userId)}\n\nExported on ${sayMinute(part.at)} from tenant ${inline(this.#member.tenantId)}.\n`;
      case 'fact':
        return this.#under('facts', part.fact.subject, `- ${sayFact(part)}\n`);
      case 'memory':
        return this.#memory(part.section, part.memory);
      case 'document':
        return this.#under('documents', nameOf(part.document), sayDocument(part.document));
      case 'file':
        return this.#under('files', nameOfFile(part.resource), `${sayFile(part.resource)}\n\n`);
      case 'end':
        return `\n---\n\n${sayCounts(part.counts)}\n`;
    }
  }

  #memory(section: ExportSection, memory: Memory): string {
    const { tier } = describeOrigin(memory);
    if (section === 'conversations') return this.#under(section, sayConversation(memory), sayTurn(memory));
    if (section === 'files') return `${quoted(memory.content)}\n\n`;
    const group = tier === undefined ? '' : `${tier.label} (${tier.owner})`;
    return this.#under(section, group, this.#statement(memory));
  }

  #statement(memory: Memory): string {
    const { content, tags, trust, kind, occurredAt: at, partition } = memory;
    const own = { isOwn: isOwn(this.#member, memory), isPublic: partition.kind === 'public' };
    const origin = sayOrigin(this.#member, { kind, origin: describeOrigin(memory), at, ...own });
    const labels = tags.length === 0 || kind === 'tier' ? [] : [`tags: ${tags.join(', ')}`];
    const about = [inline(origin), `${kind}, trust ${trust}`, ...labels.map(inline)].join('; ');
    return `- ${item(content)}\n  *${about}*\n`;
  }

  /** Puts headings above a text if it is the first of its section or group. */
  #under(section: keyof typeof titles, group: string, text: string): string {
    let headings = '';
    if (section !== this.#section) {
      headings += `\n## ${titles[section]}\n\n`;
      [this.#section, this.#group] = [section, ''];
    }
    if (group !== this.#group) {
      headings += `${headings === '' ? '\n' : ''}### ${inline(group)}\n\n`;
      this.#group = group;
    }
    return `${headings}${text}`;
  }
}

function sayFact({ fact, status }: SeenFact): string {
  const { validFrom, validTo, trust } = fact.state;
  const times = `since ${sayDay(validFrom)}${validTo === null ? '' : ` until ${sayDay(validTo)}`}`;
  const recorded = `recorded ${sayDay(fact.recordedAt)}`;
  return `${inline(fact.attribute)}: **${inline(fact.value)}**, ${times} (${status}, trust ${trust}, ${recorded})`;
}

function nameOf({ namespace, path }: GovernedDocument): string {
  return `${namespace}/${path}`;
}

function sayDocument({ version, body }: GovernedDocument): string {
  const [text, language] =
    body.schema_id === textSchemaId
      ? [toText(body.content), 'markdown']
      : [JSON.stringify(body.content, null, 2), 'json'];
  const by = `version ${version}, changed on ${body.updated_at.slice(0, 10)} by ${inline(body.updated_by)}`;
  const fence = fenceFor(text);
  return `*${by}*\n\n${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}\n\n`;
}

function sayConversation({ sessionId }: Memory): string {
  return sessionId === null ? 'Without a session' : `Session ${sessionId}`;
}

function sayTurn({ kind, role, occurredAt, content }: Memory): string {
  const speaker = kind === 'event' ? 'summary' : (role ?? 'unknown');
  return `- **${inline(speaker)}**, ${sayMinute(occurredAt)}: ${item(content)}\n`;
}

function nameOfFile({ title, fileName, resourceId }: Resource): string {
  return title ?? fileName ?? resourceId;
}

function sayFile({ resourceId, fileName, mediaType, sizeBytes, createdAt, chunks, description }: Resource): string {
  const name = fileName === null ? resourceId : `${fileName} (${resourceId})`;
  const about = `${name}, ${mediaType}, ${sizeBytes} bytes, uploaded on ${sayDay(createdAt)}, ${chunks} pieces`;
  return `*${inline(about)}*${description === null ? '' : `\n\n${inline(description)}`}`;
}

function sayCounts({ facts, memories, documents, files }: ExportCounts): string {
  return `Complete: ${facts} facts, ${memories} memories, ${documents} documents, ${files} files.`;
}

function sayDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function sayMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
