import { formatPointer, getAt, type Json, type PatchOperation, startsWithSegments } from '@memhall/core';
import type { ProposedFact } from '../../ports/extractor.js';
import type { Profile, SectionRole } from '../documents/profile.js';
import { sameText } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';
import type { DocumentView, ProposedPatch } from './proposed-patch.js';

export interface FactContext {
  conversationId: string;
  snapshotUri: string;
  now: Date;
}

export interface PlacedFacts {
  patches: ProposedPatch[];
  /** Facts that were not placed, by why. */
  refused: { too_unsure: number; no_place: number };
}

/**
 * Where proposed facts go: preferences and decisions to the sections a profile has for them, everything else to its durable
 * facts. A fact that is there already is only confirmed anew, one that it corrects is replaced. What is not sure enough is
 * proposed apart, to wait for confirmation, or refused.
 */
export function factsToPatches(
  profile: Profile,
  views: readonly DocumentView[],
  facts: readonly ProposedFact[],
  context: FactContext,
): PlacedFacts {
  const refused = { too_unsure: 0, no_place: 0 };
  const drafts = new Map<string, Draft>();
  for (const fact of facts) {
    const home = findHome(profile, views, fact);
    if (home === undefined) {
      refused.no_place += 1;
      continue;
    }
    const isSure = fact.confidence >= neededConfidence(profile, home.role);
    if (!isSure && (profile.onLowConfidence !== 'pending' || profile.sections.pending === undefined)) {
      refused.too_unsure += 1;
      continue;
    }
    const suffix = isSure ? '' : '-pending';
    const key = `${home.view.place.namespace}/${home.view.place.path}${suffix}`;
    const draft = drafts.get(key) ?? new Draft(home.view, suffix, context);
    drafts.set(key, draft);
    draft.place(fact, home);
  }
  return { patches: [...drafts.values()].flatMap((draft) => draft.toPatch() ?? []), refused };
}

type FactRole = 'preferences' | 'notes' | 'durable_facts';

interface Home {
  view: DocumentView;
  role: FactRole;
  section: readonly string[];
}

const rolesByKind: Partial<Record<ProposedFact['kind'], readonly FactRole[]>> = {
  preference: ['preferences', 'durable_facts'],
  decision: ['notes', 'durable_facts'],
};

function findHome(profile: Profile, views: readonly DocumentView[], fact: ProposedFact): Home | undefined {
  for (const role of rolesByKind[fact.kind] ?? (['durable_facts'] as const)) {
    const section = profile.sections[role satisfies SectionRole];
    if (section === undefined) continue;
    const view = views.find(({ binding, body }) => {
      const isWritable = binding.writable.some((rule) => startsWithSegments(rule.segments, section));
      return isWritable && Array.isArray(getAt(body as unknown as Json, section));
    });
    if (view !== undefined) return { view, role, section };
  }
  return undefined;
}

function neededConfidence(profile: Profile, role: FactRole): number {
  const { minConfidenceForAutoApply, minConfidenceForDurableFact } = profile;
  return role === 'durable_facts'
    ? Math.max(minConfidenceForAutoApply, minConfidenceForDurableFact)
    : minConfidenceForAutoApply;
}

/** Operations on one document. Indices are those of the document as it was found: additions, at the end, come last. */
class Draft {
  readonly #replacements: PatchOperation[] = [];
  readonly #additions: PatchOperation[] = [];
  readonly #facts: ProposedFact[] = [];

  constructor(
    readonly view: DocumentView,
    readonly suffix: '' | '-pending',
    readonly context: FactContext,
  ) {}

  place(fact: ProposedFact, { role, section }: Home): void {
    const value = this.#toValue(fact, role);
    const present = this.#find(section, fact.text);
    if (present !== undefined) {
      if (role !== 'durable_facts') return;
      const path = formatPointer([...section, String(present), 'last_verified_at']);
      this.#replacements.push({ op: 'replace', path, value: this.context.now.toISOString() });
      this.#facts.push(fact);
      return;
    }
    const outdated =
      fact.supersedes === undefined || this.suffix !== '' ? undefined : this.#find(section, fact.supersedes);
    if (outdated === undefined) this.#additions.push({ op: 'add', path: formatPointer([...section, '-']), value });
    else this.#replacements.push({ op: 'replace', path: formatPointer([...section, String(outdated)]), value });
    this.#facts.push(fact);
  }

  toPatch(): ProposedPatch | undefined {
    const ops = [...this.#replacements, ...this.#additions];
    if (ops.length === 0) return undefined;
    const messageIds = [...new Set(this.#facts.flatMap(({ evidence }) => evidence))];
    return {
      view: this.view,
      ops,
      confidence: Math.min(...this.#facts.map(({ confidence }) => confidence)),
      evidence: {
        snapshot_uri: this.context.snapshotUri,
        conversation_id: this.context.conversationId,
        message_ids: messageIds,
      },
      facts: this.#facts.length,
      suffix: this.suffix,
    };
  }

  #find(section: readonly string[], text: string): number | undefined {
    const entries = getAt(this.view.body as unknown as Json, section);
    const index = Array.isArray(entries) ? entries.findIndex((entry) => sameText(textOf(entry), text)) : -1;
    return index === -1 ? undefined : index;
  }

  #toValue(fact: ProposedFact, role: FactRole): Json {
    if (role !== 'durable_facts') return fact.text;
    return {
      text: fact.text,
      confidence: fact.confidence,
      evidence: {
        snapshot_uri: this.context.snapshotUri,
        conversation_id: this.context.conversationId,
        message_ids: fact.evidence,
      },
      last_verified_at: this.context.now.toISOString(),
      ...(fact.expiresAt === undefined ? {} : { expires_at: fact.expiresAt }),
    };
  }
}
