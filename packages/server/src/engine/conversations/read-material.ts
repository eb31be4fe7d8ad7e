import { getAt, Problem } from '@memhall/core';
import type { ConversationMessage, KnownFact } from '../../ports/extractor.js';
import type { Replay } from '../../ports/replays.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import { projectRoutes } from '../context/project-routes.js';
import { routeProject } from '../context/route-project.js';
import { findDocument } from '../documents/find-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import { textOf } from '../documents/text-of.js';
import type { Engine } from '../engine.js';
import type { DocumentView } from './proposed-patch.js';
import { openSnapshot } from './snapshot.js';

/** The input of a replay, read in one transaction. */
export interface ReplayMaterial {
  profile: Profile;
  messages: readonly ConversationMessage[];
  /** When the last message was sent, if known. */
  endedAt: Date | null;
  /** The project the conversation is about, if its words show it. */
  projectId: string | null;
  views: readonly DocumentView[];
  known: readonly KnownFact[];
}

/** Throws SNAPSHOT_UNREADABLE, PROFILE_NOT_FOUND or NOT_FOUND. */
export function readMaterial(engine: Engine, caller: Caller, replay: Replay): Promise<ReplayMaterial> {
  return engine.store.read(scopeOf(caller), async (tables) => {
    const [content, profile] = await Promise.all([
      openSnapshot(tables, engine.cipher, caller, replay),
      engine.registry.profile(tables, replay.profileId),
    ]);
    if (content === undefined) throw new Problem('NOT_FOUND', 'The snapshot no longer exists.');
    const general = await readViews(tables, profile.bindings, {});
    const projectId = projectOf(profile, general, content.messages);
    const ofProject = profile.bindings.filter(({ template }) => template.variables.includes('project_id'));
    const special = projectId === null ? [] : await readViews(tables, ofProject, { project_id: projectId });
    const views = [...general, ...special];
    return {
      profile,
      messages: content.messages,
      endedAt: endOf(content.messages),
      projectId,
      views,
      known: knownFacts(profile, views),
    };
  });
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

function projectOf(
  profile: Profile,
  views: readonly DocumentView[],
  messages: readonly ConversationMessage[],
): string | null {
  const { routing } = profile.sections;
  if (routing === undefined) return null;
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const routes = projectRoutes(views, routing);
  return routeProject({ hint: said.join('\n'), explicitProjectId: undefined, isKnown: false, routes }).projectId;
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

function endOf(messages: readonly ConversationMessage[]): Date | null {
  const times = messages.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
