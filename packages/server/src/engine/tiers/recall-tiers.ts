import { type Tier, tiers } from '@memhall/core';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { analyseText } from '../memories/analysis/analyse-text.js';
import type { Language } from '../memories/analysis/language.js';
import { recall } from '../memories/recall/recall.js';
import type { Recalled } from '../memories/recall/recalled.js';
import { tierNamespace } from '../tier-path.js';
import { screenOwners } from './screen-changed.js';
import { maxPieceLength } from './tier-index.js';
import { fromTierPath, ownerOf, type TierOwners } from './tier-place.js';
import { toPieceFilter } from './tier-session.js';

export const maxHits = 20;
/** In characters. */
export const maxSnippetLength = maxPieceLength;

interface TierSearch extends TierOwners {
  /** If missing, all tiers are searched. */
  tier?: Tier | undefined;
  query: string;
  /** Values above 20 count as 20. */
  limit: number;
}

interface TierHit {
  label: string;
  snippet: string;
  /** Number of the best matching line in the whole text, from 1. */
  line: number;
  /** 0 … 1. */
  score: number;
}

interface FoundInTiers {
  hits: TierHit[];
  /** Labels of tiers that have quarantined texts: for operators, never for models. */
  quarantined: string[];
}

/** Searches the tiers that these owners see. The hits contain nothing that the scanner objects to. */
export async function recallTiers(engine: Engine, caller: Caller, search: TierSearch): Promise<FoundInTiers> {
  const wanted = search.tier === undefined ? tiers : [search.tier];
  const owned = new Map<string, Tier[]>();
  for (const tier of wanted) {
    const owner = ownerOf(tier, search);
    owned.set(owner, [...(owned.get(owner) ?? []), tier]);
  }
  await screenOwners(engine, caller, owned);
  const held = await engine.store.read(scopeOf(caller), (tables) => tables.quarantine.heldPaths(tierNamespace));
  const found = await recall(engine, caller, {
    text: search.query,
    scope: { own: true },
    filter: toPieceFilter(owned),
    limit: Math.min(Math.max(search.limit, 1), maxHits),
  });
  const language = await engine.tenants.language(scopeOf(caller));
  const words = new Set(analyseText(search.query, language));
  return {
    hits: found.map((one) => toHit(one, words, language)),
    quarantined: held.flatMap((path) => {
      const place = fromTierPath(path);
      return place !== undefined && owned.get(place.owner)?.includes(place.tier) ? [place.label] : [];
    }),
  };
}

function toHit({ memory, score }: Recalled, words: ReadonlySet<string>, language: Language): TierHit {
  const { label, line } = memory.metadata;
  const matches = memory.content
    .split('\n')
    .map((text) => new Set(analyseText(text, language).filter((word) => words.has(word))).size);
  const best = matches.indexOf(Math.max(...matches));
  return { label: String(label), snippet: memory.content, line: Number(line) + best, score };
}
