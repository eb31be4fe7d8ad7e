import { matchProjects } from './match-projects.js';
import type { ProjectRoute } from './project-routes.js';

type RoutingReason = 'explicit' | 'alias_match' | 'keyword_match' | 'semantic' | 'ambiguous' | 'no_match' | 'no_hint';

export interface Routing {
  projectId: string | null;
  reason: RoutingReason;
  /** How well the words of the hint match the best project, 0 … 1. */
  deterministicScore: number;
  /** How close in meaning the best project is; null if meanings were not compared. */
  semanticScore: number | null;
  /** Projects that match the words equally well. */
  candidates: readonly ProjectRoute[];
}

interface RoutingQuestion {
  hint: string | undefined;
  /** Named by the caller. Used only if the project exists. */
  explicitProjectId: string | undefined;
  isKnown: boolean;
  routes: readonly ProjectRoute[];
}

/**
 * Decides which project a conversation is about: the one the caller names, else by words. `ambiguous` means that the
 * meaning has to decide.
 */
export function routeProject({ hint, explicitProjectId, isKnown, routes }: RoutingQuestion): Routing {
  const nothing = { projectId: null, deterministicScore: 0, semanticScore: null, candidates: [] };
  const isListed = routes.some(({ projectId }) => projectId === explicitProjectId);
  if (explicitProjectId !== undefined && (isListed || isKnown)) {
    return { ...nothing, projectId: explicitProjectId, reason: 'explicit', deterministicScore: 1 };
  }
  if (hint === undefined || hint.trim() === '') return { ...nothing, reason: 'no_hint' };
  const { best, kind, score } = matchProjects(hint, routes);
  const [only, ...others] = best;
  if (only === undefined) return { ...nothing, reason: 'no_match' };
  const found = { ...nothing, deterministicScore: score, candidates: best };
  if (others.length > 0) return { ...found, reason: 'ambiguous' };
  return { ...found, projectId: only.projectId, reason: kind === 'alias' ? 'alias_match' : 'keyword_match' };
}
