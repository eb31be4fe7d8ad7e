import type { Trust } from '../../ports/memory-origin.js';
import type { Origin } from './describe-origin.js';
import type { Member } from './member.js';

interface Said {
  kind: string;
  origin: Origin;
  /** When it happened. */
  at: Date;
  isOwn: boolean;
  isPublic: boolean;
  /** Left out where the trust is shown beside it. */
  trust?: Trust;
}

const speakers = new Map([
  ['assistant', 'said by the assistant'],
  ['system', 'said by the system'],
  ['tool', 'returned by a tool'],
]);

/** What a memory of the user that is neither shared nor a piece of something is taken from. */
const sources = new Map([
  ['episodic', 'from a conversation'],
  ['event', 'from a digest of what happened'],
  ['procedural', 'from a procedure'],
]);

/**
 * Returns where a memory comes from in words that a model understands, such as "from your notes (pins.md), 2026-05-21, written by
 * you". Names and titles in it are other people's text.
 */
export function sayOrigin(member: Member, said: Said): string {
  const isForeign = !said.isOwn && said.origin.author !== member.userId;
  return [
    sayPlace(member, said),
    said.at.toISOString().slice(0, 10),
    sayAuthor(member, said),
    ...(isForeign ? ["somebody else's words"] : []),
    // What a file or a tool says is named as theirs already.
    ...(said.trust === 'external' || (said.trust === 'tool' && !isOfTool(said)) ? ['not confirmed by the user'] : []),
  ].join(', ');
}

function isOfTool({ origin }: Said): boolean {
  return origin.role === 'tool' || origin.resource !== undefined;
}

function sayPlace({ grants }: Member, { kind, origin, isOwn, isPublic }: Said): string {
  const { tier, resource, document, namespace } = origin;
  if (tier !== undefined) return `from ${sayNotes(tier.owner, isOwn)} (${tier.label})`;
  if (resource !== undefined) return resource.title === null ? 'from a file' : `from the file "${resource.title}"`;
  if (document !== undefined) return `from the document ${document.namespace}/${document.path}`;
  if (isPublic) return 'public knowledge';
  if (namespace === undefined) return sources.get(kind) ?? 'from your memories';
  return namespace === grants[0]?.name ? 'from your workspace' : sayNamespace(namespace);
}

function sayNotes(owner: string, isOwn: boolean): string {
  const [kind, ...name] = owner.split(':');
  if (name.length > 0) return `the notes of ${kind} ${name.join(':')}`;
  return isOwn ? 'your notes' : 'the notes of your workspace';
}

function sayNamespace(name: string): string {
  // The name of an id with an @ ends with a digest of it.
  const [kind, ...id] = name.replace(/:[0-9a-f]{128}$/, '').split(':');
  if (kind === 'team') return `shared by team ${id.join(':')}`;
  return kind === 'org' ? `shared by the organization ${id.join(':')}` : `shared in ${name}`;
}

function sayAuthor({ userId }: Member, { origin, isOwn }: Said): string {
  const { author, role = '', surface } = origin;
  const speaker = speakers.get(role);
  if (speaker !== undefined) return speaker;
  const verb = role === 'user' ? 'said' : 'written';
  if (author === userId) return surface === 'mcp' ? `${verb} by you through an agent` : `${verb} by you`;
  if (author === '') return 'author unknown';
  return isOwn ? `${verb} for you by ${author}` : `${verb} by ${author}`;
}
