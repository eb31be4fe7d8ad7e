import type { Scope, Store } from '../../ports/store.js';
import { defaultLanguage, type Language, languages } from './analysis/language.js';

const rememberedMs = 30_000;

/** The languages of tenants' memories. Every write and recall needs one, so they are cached for half a minute. */
export class TenantLanguages {
  readonly #store: Store;
  readonly #known = new Map<string, { language: Language; until: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  async of(scope: Scope): Promise<Language> {
    const known = this.#known.get(scope.tenantId);
    if (known !== undefined && known.until > Date.now()) return known.language;
    const found = await this.#store.read(scope, (tables) => tables.tenants.language());
    const language = languages.find((candidate) => candidate === found) ?? defaultLanguage;
    this.#known.set(scope.tenantId, { language, until: Date.now() + rememberedMs });
    return language;
  }

  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }
}
