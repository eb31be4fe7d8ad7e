import { type Tier, tiers } from '@memhall/core';
import { tierNamespace } from '../tier-path.js';

/** Profile of the documents that hold the texts of tiers. Its bindings have the names of the tiers. */
export const tierProfileId = 'provider-tiers-v1';

const schemaId = 'provider.tier';
const schemaVersion = '1.0.0';

/** Stores a text as lines, so that appending to it is a small change in the document's history too. */
export const tierSchema = {
  schema_id: schemaId,
  version: schemaVersion,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['lines'],
    additionalProperties: false,
    properties: {
      lines: { type: 'array', items: { type: 'string' } },
      writers: { type: 'array', items: { type: 'string' }, description: 'Users whose words are in it' },
    },
  },
};

export const tierProfile = {
  profile_id: tierProfileId,
  document_bindings: tiers.map((tier) => ({
    binding_id: tier,
    namespace: tierNamespace,
    path_template: templateOf(tier),
    schema_id: schemaId,
    schema_version: schemaVersion,
    write_mode: 'replace_allowed',
    initial: { lines: [] },
  })),
  writable_path_rules: Object.fromEntries(tiers.map((tier) => [tier, ['/lines']])),
};

function templateOf(tier: Tier): string {
  return tier === 'daily' || tier === 'peers' ? `{owner}/${tier}/{key}.md` : `{owner}/${tier}.md`;
}
