import type { StoredAttribute } from '../../ports/attributes.js';
import type { Lexicon, ReadableAttribute, StatementReader } from '../../ports/statement-reader.js';
import type { Scope, Store } from '../../ports/store.js';
import type { KnownAttribute } from './attributes.js';
import { builtInAttributes } from './built-in-attributes.js';
import { attributeKey } from './fact-keys.js';

const rememberedMs = 30_000;

/** How the users of a tenant state facts. */
interface TenantLexicon {
  lexicon: Lexicon;
  /** By the name that statements have. */
  attributes: ReadonlyMap<string, KnownAttribute>;
}

/** The lexicons of tenants. Every text that is stored is read with one, so they are cached for half a minute. */
export class Lexicons {
  readonly #store: Store;
  readonly #reader: StatementReader;
  readonly #known = new Map<string, { lexicon: TenantLexicon; until: number }>();
  /** Of tenants that define nothing. */
  #plain: TenantLexicon | undefined;

  constructor(store: Store, reader: StatementReader) {
    this.#store = store;
    this.#reader = reader;
  }

  async of(scope: Scope): Promise<TenantLexicon> {
    const known = this.#known.get(scope.tenantId);
    if (known !== undefined && known.until > Date.now()) return known.lexicon;
    const defined = await this.#store.read(scope, (tables) => tables.attributes.list());
    const lexicon = (defined.length === 0 ? this.#plain : undefined) ?? this.#prepare(defined);
    if (defined.length === 0) this.#plain = lexicon;
    this.#known.set(scope.tenantId, { lexicon, until: Date.now() + rememberedMs });
    return lexicon;
  }

  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }

  #prepare(defined: readonly StoredAttribute[]): TenantLexicon {
    const own = new Map(defined.map((attribute) => [attribute.nameKey, attribute]));
    const builtIn = builtInAttributes.map((attribute) => {
      const redefined = own.get(attributeKey(attribute.name));
      own.delete(attributeKey(attribute.name));
      return redefined === undefined ? attribute : merge(attribute, redefined);
    });
    const others = [...own.values()].map((attribute) => ({ ...plainAttribute, ...attribute }));
    // What a tenant defines comes first: its names are found before built-in ones.
    const all = [...others, ...builtIn];
    return {
      lexicon: this.#reader.prepare(all),
      attributes: new Map(
        all.map(({ name, single, endsAlone, comparison, isLasting }) => [
          name,
          { key: attributeKey(name), single, endsAlone, comparison, isLasting },
        ]),
      ),
    };
  }
}

const plainAttribute = {
  shape: 'text',
  values: [],
  loosePatterns: [],
  endings: [],
  comparison: 'text',
  isLasting: false,
} as const;

/** A tenant that redefines a built-in attribute adds to the ways in which it is worded. */
function merge<A extends ReadableAttribute>(
  attribute: A,
  { single, endsAlone, synonyms, patterns }: StoredAttribute,
): A {
  return {
    ...attribute,
    ...{ single, endsAlone },
    synonyms: [...attribute.synonyms, ...synonyms],
    patterns: [...attribute.patterns, ...patterns],
  };
}
