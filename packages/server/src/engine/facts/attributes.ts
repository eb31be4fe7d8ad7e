import { Problem } from '@memhall/core';
import type { Attribute, StoredAttribute } from '../../ports/attributes.js';
import type { Tables } from '../../ports/store.js';
import { contentHash } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { toContent } from '../memories/memory-input.js';
import { type BuiltInAttribute, builtInAttributes } from './built-in-attributes.js';
import { attributeKey, type Comparison, factLimits } from './fact-keys.js';

/** An attribute as facts use it. */
export interface KnownAttribute {
  /** By which its facts are found, whichever of its names they were written with. */
  key: string;
  single: boolean;
  comparison: Comparison;
  /** Whether it can end without another value. */
  endsAlone: boolean;
  /** A second value is more likely another form of the first, or a slip. */
  isLasting: boolean;
}

const builtIn = new Map<string, BuiltInAttribute>();
for (const attribute of builtInAttributes) {
  for (const name of [attribute.name, ...attribute.synonyms]) builtIn.set(attributeKey(name), attribute);
}

/** Returns what is known about an attribute. What a tenant says about it comes first; an unknown one holds many values. */
export async function findAttribute(tables: Tables, name: string): Promise<KnownAttribute> {
  const key = attributeKey(name);
  const known = builtIn.get(key);
  const [stored] = await tables.attributes.find(key);
  if (stored !== undefined) {
    const { comparison = 'text', isLasting = false } = builtIn.get(stored.nameKey) ?? {};
    return { key: stored.nameKey, single: stored.single, endsAlone: stored.endsAlone, comparison, isLasting };
  }
  if (known === undefined) return { key, single: false, comparison: 'text', endsAlone: true, isLasting: false };
  const nameKey = attributeKey(known.name);
  // A tenant that redefines an attribute does so under all its built-in names.
  const [redefined] = nameKey === key ? [] : await tables.attributes.find(nameKey);
  const { single, endsAlone } = redefined ?? known;
  return { key: nameKey, single, endsAlone, comparison: known.comparison, isLasting: known.isLasting };
}

/** Returns an attribute of the tenant or a built-in one, by its name or a synonym. Throws NOT_FOUND. */
export function getAttribute(engine: Engine, caller: Caller, name: string): Promise<Attribute> {
  return engine.store.read({ ...scopeOf(caller), userId: null }, async (tables) => {
    const key = attributeKey(name);
    const [stored] = await tables.attributes.find(key);
    const found = stored ?? builtIn.get(key);
    if (found === undefined) {
      throw new Problem(
        'NOT_FOUND',
        `There is no attribute "${name}". Facts may use it all the same; it holds many values.`,
      );
    }
    return found;
  });
}

/** Defines an attribute for a tenant, or redefines a built-in one. Facts written from then on follow it. */
export function putAttribute(engine: Engine, caller: Caller, given: Attribute): Promise<Attribute> {
  const name = toName(given.name);
  const synonyms = given.synonyms.map(toName);
  const patterns = given.patterns.map(toPattern);
  return mutateTenant<Attribute>(engine, caller, async (tables, now) => {
    const nameKey = attributeKey(name);
    const [existing] = (await tables.attributes.find(nameKey)).filter((one) => one.nameKey === nameKey);
    const attribute: StoredAttribute = {
      ...{ name, nameKey, single: given.single, endsAlone: given.endsAlone, synonyms, patterns },
      synonymKeys: synonyms.map(attributeKey),
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    };
    tables.attributes.put(attribute);
    const definition = { name, single: given.single, ends_alone: given.endsAlone, synonyms, patterns };
    const mutation = {
      ...{ target: `attribute/${nameKey}`, preEtag: null, postEtag: null },
      contentHash: contentHash(definition),
    };
    return { result: attribute, mutations: [mutation] };
  }).finally(() => engine.statements?.lexicons.forget(caller.tenantId));
}

function toName(name: string): string {
  return toContent(name, 'attribute').trim().slice(0, factLimits.attribute);
}

function toPattern(pattern: string): string {
  const text = toContent(pattern, 'patterns').trim();
  if (text.split('{value}').length !== 2 || text.replace('{value}', '').trim() === '') {
    throw new Problem(
      'INVALID_REQUEST',
      'A pattern must contain {value} once, and words around it: "I live in {value}".',
    );
  }
  return text;
}
