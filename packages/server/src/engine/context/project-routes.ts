import { getAt, type Json } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';

/** Names and keywords of a project from a document, by which conversations about it are recognized. */
export interface ProjectRoute {
  projectId: string;
  aliases: string[];
  keywords: string[];
}

/** Returns the entries of the routing section in all documents; skips malformed ones. */
export function projectRoutes(
  documents: readonly { body: Pick<DocumentBody, 'content'> }[],
  section: readonly string[],
): ProjectRoute[] {
  const byId = new Map<string, ProjectRoute>();
  for (const { body } of documents) {
    const entries = getAt(body, section);
    for (const entry of Array.isArray(entries) ? entries : []) {
      const route = toRoute(entry);
      if (route === undefined) continue;
      const known = byId.get(route.projectId);
      if (known === undefined) byId.set(route.projectId, route);
      for (const alias of route.aliases) known?.aliases.push(alias);
      for (const keyword of route.keywords) known?.keywords.push(keyword);
    }
  }
  return [...byId.values()];
}

function toRoute(entry: Json): ProjectRoute | undefined {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return undefined;
  const { project_id: projectId } = entry;
  if (typeof projectId !== 'string' || projectId === '') return undefined;
  return { projectId, aliases: texts(entry.aliases), keywords: texts(entry.keywords) };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    : [];
}
