import { type Tier, tiers } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { analyseText } from '../memories/analysis/analyse-text.js';
import type { Language } from '../memories/analysis/language.js';
import { type Recalled, recall } from '../memories/recall/recall.js';
import { screenTier } from './screen-tier.js';
import { maxPieceLength } from './tier-index.js';
import { fromTierPath, ownerOf, type TierOwners, type TierPlace, tierKind, tierNamespace } from './tier-place.js';

export const maxHits = 20;
/** In characters. */
export const maxSnippetLength = maxPieceLength;

export interface TierSearch extends TierOwners {
  /** Absent: all of them. */
  tier?: Tier | undefined;
  query: string;
  /** At most 20 count. */
  limit: number;
}

export interface TierHit {
  label: string;
  snippet: string;
  /** Of the line in the whole text that fits best, from 1. */
  line: number;
  /** 0 … 1. */
  score: number;
}

export interface FoundInTiers {
  hits: TierHit[];
  /** Labels of which something is in quarantine: for operators, never for models. */
  quarantined: string[];
}

const pageSize = 500;

/** What the tiers that these owners see say about something. Nothing that the scanner objects to is among it. */
export async function recallTiers(engine: Engine, caller: Caller, search: TierSearch): Promise<FoundInTiers> {
  const wanted = search.tier === undefined ? tiers : [search.tier];
  const owned = new Map<string, Tier[]>();
  for (const tier of wanted) {
    const owner = ownerOf(tier, search);
    owned.set(owner, [...(owned.get(owner) ?? []), tier]);
  }
  for (const place of await unscreened(engine, caller, owned)) await screenTier(engine, caller, place);
  const held = await engine.store.read(scopeOf(caller), (tables) => tables.quarantine.heldPaths(tierNamespace));
  const found = await recall(engine, caller, {
    text: search.query,
    scope: { own: true },
    filter: { kinds: [tierKind], anyOf: [...owned].map(([agentId, tags]) => ({ agentId, tags })) },
    limit: Math.min(Math.max(search.limit, 1), maxHits),
  });
  const language = await engine.languages.of(scopeOf(caller));
  const words = new Set(analyseText(search.query, language));
  return {
    hits: found.map((one) => toHit(one, words, language)),
    quarantined: held.flatMap((path) => {
      const place = fromTierPath(path);
      return place !== undefined && owned.get(place.owner)?.includes(place.tier) ? [place.label] : [];
    }),
  };
}

/** Places whose text nobody has looked at since it changed. */
function unscreened(engine: Engine, caller: Caller, owned: ReadonlyMap<string, readonly Tier[]>): Promise<TierPlace[]> {
  return engine.store.read(scopeOf(caller), async (tables) => {
    const places: TierPlace[] = [];
    for (const [owner, tiersOfOwner] of owned) {
      for await (const { name, etag } of documentsOf(tables, owner)) {
        const place = engine.screenedTiers.has(etag) ? undefined : fromTierPath(name);
        if (place !== undefined && tiersOfOwner.includes(place.tier)) places.push(place);
      }
    }
    return places;
  });
}

/** By path: those of one owner are next to each other. */
async function* documentsOf(tables: Tables, owner: string) {
  const prefix = `${owner}/`;
  for (let after = prefix; ; ) {
    const page = await tables.artifacts.list('document', {
      folder: tierNamespace,
      after: [tierNamespace, after],
      limit: pageSize,
    });
    for (const summary of page) {
      if (!summary.name.startsWith(prefix)) return;
      yield summary;
      after = summary.name;
    }
    if (page.length < pageSize) return;
  }
}

function toHit({ memory, score }: Recalled, words: ReadonlySet<string>, language: Language): TierHit {
  const { label, line } = memory.metadata;
  const matches = memory.content
    .split('\n')
    .map((text) => new Set(analyseText(text, language).filter((word) => words.has(word))).size);
  const best = matches.indexOf(Math.max(...matches));
  return { label: String(label), snippet: memory.content, line: Number(line) + best, score };
}
