import { textSchemaId } from '../text-lines.js';

/** Namespace of the documents that are memory files. They belong to the user. */
export const fileNamespace = 'memory-files';
export const fileProfileId = 'memory-files-v1';
export const fileBindingId = 'file';

const schemaVersion = '1.0.0';

export const fileSchema = {
  schema_id: textSchemaId,
  version: schemaVersion,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['lines'],
    additionalProperties: false,
    properties: { lines: { type: 'array', items: { type: 'string' } } },
  },
};

export const fileProfile = {
  profile_id: fileProfileId,
  document_bindings: [
    {
      binding_id: fileBindingId,
      namespace: fileNamespace,
      path_template: '{root}/{path*}',
      schema_id: textSchemaId,
      schema_version: schemaVersion,
      write_mode: 'replace_allowed',
      redact_secrets: true,
      initial: { lines: [] },
    },
  ],
  writable_path_rules: { [fileBindingId]: ['/lines'] },
};
