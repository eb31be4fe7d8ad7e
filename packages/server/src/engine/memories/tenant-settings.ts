import { type OptionalLabel, optionalLabels } from '@memhall/core';
import type { Scope, Store } from '../../ports/store.js';
import { defaultLanguage, type Language, languages } from './analysis/language.js';

const rememberedMs = 30_000;

interface Settings {
  language: Language;
  alsoRedacted: readonly OptionalLabel[];
}

/** The settings of tenants. Every write and recall needs them, so they are cached for half a minute. */
export class TenantSettings {
  readonly #store: Store;
  readonly #known = new Map<string, { settings: Settings; until: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the language of the tenant's memories. */
  async language(scope: Scope): Promise<Language> {
    return (await this.#of(scope)).language;
  }

  /** Returns what is redacted for this tenant in addition to secrets. */
  async alsoRedacted(scope: Scope): Promise<readonly OptionalLabel[]> {
    return (await this.#of(scope)).alsoRedacted;
  }

  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }

  async #of(scope: Scope): Promise<Settings> {
    const known = this.#known.get(scope.tenantId);
    if (known !== undefined && known.until > Date.now()) return known.settings;
    const found = await this.#store.read(scope, (tables) => tables.tenants.settings());
    const settings = {
      language: languages.find((candidate) => candidate === found?.language) ?? defaultLanguage,
      alsoRedacted: optionalLabels.filter((label) => found?.alsoRedacted.includes(label)),
    };
    this.#known.set(scope.tenantId, { settings, until: Date.now() + rememberedMs });
    return settings;
  }
}
