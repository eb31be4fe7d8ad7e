import { type Json, Problem } from '@memhall/core';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Namespace, namespaceBody, namespaceChange, namespaceParams } from './plugin-schemas.js';
import { callFor, type PluginServices } from './plugin-services.js';
import { toNamespace } from './to-plugin-memory.js';

type Metadata = { [key: string]: Json };

export const namespaceRoutes = [
  defineRoute({
    operation: 'plugin.putNamespace',
    method: 'PUT',
    path: '/v1/namespaces/{name}',
    summary: 'Create a namespace, or replace its properties.',
    access: 'open',
    request: { params: namespaceParams, body: namespaceBody },
    responses: { 200: { description: 'The namespace', schema: Namespace } },
    async handle(services: PluginServices, { params: { name }, body }) {
      const namespace = await services.plugin.putNamespace(callFor(services, 'plugin.putNamespace'), {
        name,
        kind: body.kind,
        expiresAt: toMoment('expires_at', body.expires_at ?? undefined) ?? null,
        metadata: (body.metadata as Metadata | null | undefined) ?? null,
      });
      return { body: toNamespace(namespace) };
    },
  }),
  defineRoute({
    operation: 'plugin.updateNamespace',
    method: 'PATCH',
    path: '/v1/namespaces/{name}',
    summary: 'Change the expiry or the metadata of a namespace.',
    access: 'open',
    request: { params: namespaceParams, body: namespaceChange },
    responses: { 200: { description: 'The namespace', schema: Namespace } },
    problems: ['NOT_FOUND'],
    async handle(services: PluginServices, { params: { name }, body }) {
      if (body.expires_at === undefined && body.metadata === undefined) {
        throw new Problem('INVALID_REQUEST', 'Nothing to change. Send expires_at, metadata, or both.');
      }
      const namespace = await services.plugin.updateNamespace(callFor(services, 'plugin.updateNamespace'), name, {
        expiresAt: body.expires_at === null ? null : toMoment('expires_at', body.expires_at),
        metadata: toChange(body.metadata as Metadata | undefined),
      });
      return { body: toNamespace(namespace) };
    },
  }),
  defineRoute({
    operation: 'plugin.deleteNamespace',
    method: 'DELETE',
    path: '/v1/namespaces/{name}',
    summary: 'Delete a namespace and all its memories.',
    access: 'open',
    request: { params: namespaceParams },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND'],
    async handle(services: PluginServices, { params: { name } }) {
      await services.plugin.deleteNamespace(callFor(services, 'plugin.deleteNamespace'), name);
      return {};
    },
  }),
];

/** `{}` removes all metadata. */
function toChange(metadata: Metadata | undefined): Metadata | null | undefined {
  return metadata !== undefined && Object.keys(metadata).length === 0 ? null : metadata;
}
