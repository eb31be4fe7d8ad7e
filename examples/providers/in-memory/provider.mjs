// A small but complete provider that stores memory in this process.
// Try it: npx memhall conformance provider --module examples/providers/in-memory/provider.mjs
import {
  findCapWarning,
  findHostileParts,
  findKeyFault,
  fromTierLabel,
  isTier,
  redact,
  replaceParts,
  scanText,
  splitEntries,
  tierCaps,
  tiers,
  toTierLabel,
} from '@memhall/core';

/** @import { Tier } from '@memhall/core' */
/** @import { ForgetRequest, Provider, ProviderOwner, ProviderRecallRequest, ReadRequest, RetainRequest } from '@memhall/agent' */

const maxHits = 20;
const maxSnippet = 500;

/** Texts by owner and label, shared by all instances. @type {Map<string, Map<string, string>>} */
const shelves = new Map();

class ProviderInvalid extends Error {
  /** @override */
  name = 'ProviderInvalid';

  /** @param {string} code @param {string} message */
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** @param {string} message */
const invalid = (message) => new ProviderInvalid('INVALID_REQUEST', message);

/** @implements {Provider} */
export class InMemoryProvider {
  /** @type {Provider['specification']} */
  specification = 'provider/v1';
  /** @type {Provider['capabilities']} */
  capabilities = ['read', 'shared_append', 'quarantine', 'shared_crew'];
  #owner;

  /** @param {ProviderOwner} owner */
  constructor(owner) {
    this.#owner = owner;
  }

  /** @param {RetainRequest} request @param {AbortSignal} [signal] */
  async retain(request, signal) {
    signal?.throwIfAborted();
    this.#checkOwner(request);
    const { tier, mode, content } = request;
    if (mode !== 'replace' && mode !== 'append') throw invalid('mode must be replace or append.');
    const label = toLabel(request);
    if (typeof content !== 'string' || content.includes('\u0000')) throw invalid('content must be text without NUL.');
    refuseHostile(content);
    const before = this.#textOf(label);
    const after = mode === 'append' ? join(before, redact(content).text) : redact(content).text;
    refuseHostile(after);
    const [bytes, cap] = [Buffer.byteLength(after), tierCaps[tier]];
    if (cap !== null && bytes > cap) {
      const details = { tier, cap, projected: bytes, current: Buffer.byteLength(before) };
      throw new ProviderInvalid('TIER_CAP_EXCEEDED', `${tier} is limited to ${cap} bytes. Write less.`, details);
    }
    shelfOf(this.#owner, label).set(label, after);
    const warning = findCapWarning(tier, bytes);
    return { id: label, bytes, ...(warning === undefined ? {} : { warning }) };
  }

  /** @param {ProviderRecallRequest} request @param {AbortSignal} [signal] */
  async recall(request, signal) {
    signal?.throwIfAborted();
    this.#checkOwner(request);
    const { tier, query, limit = maxHits } = request;
    if (tier !== undefined && tier !== '' && !isTier(tier)) throw invalid(`tier must be one of ${tiers.join(', ')}.`);
    if (typeof query !== 'string' || query.trim() === '') throw invalid('query must not be blank.');
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const labels = labelsOf(this.#owner).filter((label) => !tier || fromTierLabel(label)?.tier === tier);
    const texts = labels.map((label) => ({ label, text: this.#textOf(label) }));
    const hits = texts.flatMap(({ label, text }) => findLines(label, text, words));
    hits.sort((a, b) => b.score - a.score);
    const quarantined = texts.filter(({ text }) => text.includes('[BLOCKED:')).map(({ label }) => label);
    return {
      hits: hits.slice(0, Math.min(limit, maxHits)),
      ...(quarantined.length === 0 ? {} : { quarantined }),
    };
  }

  /** @param {ReadRequest} request @param {AbortSignal} [signal] */
  async read(request, signal) {
    signal?.throwIfAborted();
    this.#checkOwner(request);
    const label = toLabel(request);
    const content = this.#textOf(label);
    return { id: label, content, bytes: Buffer.byteLength(content) };
  }

  /** @param {ForgetRequest} request @param {AbortSignal} [signal] */
  async forget(request, signal) {
    signal?.throwIfAborted();
    this.#checkOwner(request);
    const { id, dataSubjectId } = request;
    if ((id === undefined) === (dataSubjectId === undefined)) throw invalid('Set exactly one of id and dataSubjectId.');
    if (dataSubjectId !== undefined) throw new ProviderInvalid('NOT_IMPLEMENTED', 'cascade not implemented in memory.');
    return { removed: shelfOf(this.#owner, id).delete(id) ? 1 : 0 };
  }

  async health() {
    return { ok: true, checkedAt: new Date().toISOString() };
  }

  /** @param {ProviderOwner} request */
  #checkOwner(request) {
    if (typeof request.workspaceId !== 'string' || request.workspaceId === '')
      throw invalid('workspaceId is required.');
    for (const name of /** @type {const} */ (['workspaceId', 'agentId', 'crewId'])) {
      if (request[name] !== undefined && request[name] !== this.#owner[name]) {
        throw new ProviderInvalid('FORBIDDEN', `${name} does not match the owner that this provider was created for.`);
      }
    }
  }

  /** Replaces entries that must not reach a model with placeholders as soon as they are found. @param {string} label */
  #textOf(label) {
    const shelf = shelfOf(this.#owner, label);
    const text = shelf.get(label) ?? '';
    const entries = splitEntries(text);
    const parts = findHostileParts(entries);
    if (parts.length === 0) return text;
    const shown = replaceParts(entries, parts, ({ category }) => `[BLOCKED: ${category}]`).join('\n');
    shelf.set(label, shown);
    return shown;
  }
}

const crewLabel = toTierLabel('CREW', undefined);

/** CREW belongs to the crew, everything else to the agent. @param {ProviderOwner} owner @param {string | undefined} label */
function keyOf({ workspaceId, agentId, crewId }, label) {
  if (label === crewLabel) return JSON.stringify([workspaceId, 'crew', crewId]);
  return JSON.stringify([workspaceId, 'agent', agentId]);
}

/** @param {ProviderOwner} owner */
function labelsOf(owner) {
  return [...shelfOf(owner, undefined).keys(), ...shelfOf(owner, crewLabel).keys()];
}

/** @param {ProviderOwner} owner @param {string | undefined} label */
function shelfOf(owner, label) {
  const key = keyOf(owner, label);
  const shelf = shelves.get(key) ?? new Map();
  shelves.set(key, shelf);
  return shelf;
}

/** @param {{ tier: Tier, key?: string | undefined }} place */
function toLabel({ tier, key }) {
  if (!isTier(tier)) throw invalid(`tier must be one of ${tiers.join(', ')}.`);
  const fault = findKeyFault(tier, key);
  if (fault !== undefined) throw invalid(`key ${fault}.`);
  return toTierLabel(tier, key);
}

/** @param {string} text */
function refuseHostile(text) {
  const verdict = scanText(text);
  if (verdict === undefined) return;
  const { category, rule } = verdict;
  throw new ProviderInvalid('CONTENT_BLOCKED', 'The text would steer a model. Say it in other words.', {
    category,
    rule,
  });
}

/** @param {string} before @param {string} added */
function join(before, added) {
  return before === '' || before.endsWith('\n') ? before + added : [before, added].join('\n');
}

/** @param {string} label @param {string} text @param {string[]} words */
function findLines(label, text, words) {
  return text.split('\n').flatMap((line, index) => {
    const lower = line.toLowerCase();
    const found = words.filter((word) => lower.includes(word));
    if (found.length === 0 || line.startsWith('[BLOCKED:')) return [];
    const from = Math.max(0, lower.indexOf(longest(found)) - maxSnippet / 2);
    const snippet = line.slice(from, from + maxSnippet);
    return [{ source: label, snippet, line: index + 1, score: found.length / words.length }];
  });
}

/** @param {string[]} words */
function longest(words) {
  return words.reduce((best, word) => (word.length > best.length ? word : best));
}

/** @param {ProviderOwner} owner */
export function createProvider(owner) {
  return new InMemoryProvider(owner);
}

/** For the suite: stores a text without `retain`. @param {ProviderOwner} owner @param {string} label @param {string} text */
export async function plant(owner, label, text) {
  shelfOf(owner, label).set(label, text);
}

/** @param {ProviderOwner} owner */
export async function removeOwner(owner) {
  shelves.delete(keyOf(owner, undefined));
  shelves.delete(keyOf(owner, crewLabel));
}
