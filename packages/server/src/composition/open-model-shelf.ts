import type { Config } from '../config/settings.js';
import { knownModels } from '../providers/models/known-models.js';
import { ModelShelf } from '../providers/models/model-shelf.js';

export function openModelShelf({ dataDirectory }: Config): ModelShelf {
  return new ModelShelf(dataDirectory);
}

/** Returns what `memhall model add` knows without `--from`. */
export function listKnownModels(): { name: string; about: string; license: string; source: string }[] {
  return knownModels.map(({ name, about, license, source }) => ({ name, about, license, source }));
}
