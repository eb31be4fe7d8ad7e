import type { RouteExample } from '../../../http/route.js';

export const registryExamples: Readonly<Record<string, RouteExample>> = {
  'schemas.put': {
    params: { tenant_id: 'default', schema_id: 'app.settings', version: '1.0.0' },
    body: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
    },
    response: {
      schema_id: 'app.settings',
      version: '1.0.0',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
      created_at: '2026-11-18T23:05:10.061Z',
    },
  },
  'schemas.get': {
    params: { tenant_id: 'default', schema_id: 'app.settings', version: '1.0.0' },
    response: {
      schema_id: 'app.settings',
      version: '1.0.0',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
      created_at: '2026-11-18T23:05:10.061Z',
    },
  },
  'schemas.list': {
    params: { tenant_id: 'default' },
    query: { limit: 20 },
    response: {
      schemas: [
        { schema_id: 'app.settings', version: '1.0.0', created_at: '2026-11-18T23:05:10.061Z' },
        { schema_id: 'memory.project', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
        { schema_id: 'memory.user.dynamic', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
        { schema_id: 'memory.user.static', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
      ],
    },
  },
  'profiles.put': {
    params: { tenant_id: 'default', profile_id: 'app-settings-v1' },
    body: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          path: 'settings.json',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
    response: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          path: 'settings.json',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      profile_id: 'app-settings-v1',
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
  },
  'profiles.get': {
    params: { tenant_id: 'default', profile_id: 'app-settings-v1' },
    response: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          path: 'settings.json',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      profile_id: 'app-settings-v1',
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
  },
  'profiles.list': {
    params: { tenant_id: 'default' },
    response: {
      profiles: [
        {
          document_bindings: [
            {
              binding_id: 'settings',
              namespace: 'user',
              path: 'settings.json',
              schema_id: 'app.settings',
              schema_version: '1.0.0',
              max_chars: 4000,
              initial: { theme: 'light', languages: [] },
            },
          ],
          writable_path_rules: { settings: ['/theme', '/languages'] },
          profile_id: 'app-settings-v1',
        },
      ],
    },
  },
};
