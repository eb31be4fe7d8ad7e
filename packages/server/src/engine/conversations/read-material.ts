import { setImmediate as nextTurn } from 'node:timers/promises';
import { getAt, Problem, splitText } from '@memhall/core';
import type { ConversationMessage, KnownFact } from '../../ports/extractor.js';
import type { Replay } from '../../ports/replays.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import { ProjectMatcher } from '../context/match-projects.js';
import { projectRoutes } from '../context/project-routes.js';
import { findDocument } from '../documents/find-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import { textOf } from '../documents/text-of.js';
import type { Engine } from '../engine.js';
import type { DocumentView } from './proposed-patch.js';
import { readStoredConversation } from './read-stored-conversation.js';
import { openSnapshot, unpackSnapshot } from './snapshot.js';

/** Words are searched for projects in pieces of this length, so that others need not wait for a long conversation. */
const pieceLength = 50_000;

/** The input of a replay. */
export interface ReplayMaterial {
  profile: Profile;
  /** Without secrets. */
  messages: readonly ConversationMessage[];
  /** When the last message was sent, if known. */
  endedAt: Date | null;
  /** The project the conversation is about, if its words show it. */
  projectId: string | null;
  views: readonly DocumentView[];
  known: readonly KnownFact[];
}

/**
 * Reads the conversation, then the documents. Not in one transaction: a large conversation takes seconds, and patches say which
 * version of a document they were made for. Throws SNAPSHOT_UNREADABLE, PROFILE_NOT_FOUND or NOT_FOUND.
 */
export async function readMaterial(
  engine: Engine,
  caller: Caller,
  replay: Replay,
  signal?: AbortSignal,
): Promise<ReplayMaterial> {
  const { tenantId, userId } = caller;
  const { conversationId, snapshotId } = replay;
  const place = { tenantId, userId, conversationId, snapshotId };
  const opened = await engine.store.read(scopeOf(caller), (tables) => openSnapshot(tables, engine.cipher, place));
  if (opened === undefined) throw new Problem('NOT_FOUND', 'The snapshot no longer exists.');
  const messages = await readStoredConversation(engine, caller, await unpackSnapshot(opened.packed), signal);

  const { profile, general } = await engine.store.read(scopeOf(caller), async (tables) => {
    const found = await engine.registry.profile(tables, replay.profileId);
    return { profile: found, general: await readViews(tables, found.bindings, {}) };
  });
  const projectId = await projectOf(profile, general, messages);
  const ofProject = profile.bindings.filter(({ template }) => template.variables.includes('project_id'));
  const special =
    projectId === null
      ? []
      : await engine.store.read(scopeOf(caller), (tables) => readViews(tables, ofProject, { project_id: projectId }));
  const views = [...general, ...special];
  return { profile, messages, endedAt: endOf(messages), projectId, views, known: knownFacts(profile, views) };
}

async function readViews(
  tables: Tables,
  bindings: readonly Binding[],
  variables: Record<string, string>,
): Promise<DocumentView[]> {
  const views = await Promise.all(
    bindings.map(async (binding): Promise<DocumentView[]> => {
      const path = binding.template.fill(variables);
      if (path === undefined) return [];
      const place = { namespace: binding.namespace, path };
      const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: path });
      const { document } = await findDocument(tables, binding, place, stored);
      return [
        {
          binding,
          place,
          version: stored?.version ?? 0,
          etag: document?.etag ?? null,
          body: { content: document?.body.content ?? binding.initial },
        },
      ];
    }),
  );
  return views.flat();
}

/** Returns null if no project, or more than one, matches the user's words. */
async function projectOf(
  profile: Profile,
  views: readonly DocumentView[],
  messages: readonly ConversationMessage[],
): Promise<string | null> {
  const { routing } = profile.sections;
  const routes = routing === undefined ? [] : projectRoutes(views, routing);
  if (routes.length === 0) return null;
  const matcher = new ProjectMatcher(routes);
  let unread = '';
  for (const { content } of messages.filter(({ role }) => role === 'user')) {
    unread += `${content}\n`;
    if (unread.length < pieceLength) continue;
    for (const piece of splitText(unread, pieceLength)) {
      matcher.read(piece);
      await nextTurn();
    }
    unread = '';
  }
  matcher.read(unread);
  const [only, ...others] = matcher.match().best;
  return only === undefined || others.length > 0 ? null : only.projectId;
}

function knownFacts(profile: Profile, views: readonly DocumentView[]): KnownFact[] {
  const kinds = [
    ['preferences', 'preference'],
    ['durable_facts', undefined],
    ['pending', undefined],
    ['notes', 'decision'],
  ] as const;
  return kinds.flatMap(([role, kind]) => {
    const section = profile.sections[role];
    if (section === undefined) return [];
    return views.flatMap(({ body }) => {
      const entries = getAt(body, section);
      const texts = Array.isArray(entries) ? entries.map(textOf) : [];
      return texts.filter((text) => text !== '').map((text) => ({ kind, text }));
    });
  });
}

/** Returns when the last message was sent, if one says so. */
export function endOf(messages: readonly ConversationMessage[]): Date | null {
  const times = messages.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
