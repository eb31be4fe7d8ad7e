import { forgetResource } from '../../engine/resources/forget-resource.js';
import { ingestResource } from '../../engine/resources/ingest-resource.js';
import { getResource, listResources } from '../../engine/resources/list-resources.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { maxFileCharacters } from '../../ports/file-reader.js';
import { Deleted } from './gateway-schemas.js';
import type { GatewayServices } from './gateway-services.js';
import { listBody, ResourceList, resourceBody, Uploaded, uploadBody } from './resource-schemas.js';
import { toResource, toUploaded } from './to-resource.js';

export const resourceRoutes = [
  defineRoute({
    operation: 'resources.upload',
    method: 'POST',
    path: '/resources',
    summary: 'Upload a file. Searches then find its text.',
    description: `Accepts text, Markdown, HTML, CSV, JSON, PDF and DOCX, detected from the content. Text may be in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252, which includes Latin-1. A file with more than ${maxFileCharacters.toLocaleString('en')} characters of text is stored, but fails with the reason too_large. Uploading the same bytes again returns the same resource. Send user_id and user_key before the file: a file of more than 1 MiB that comes before them is rejected.`,
    access: 'key',
    upload: true,
    request: { body: uploadBody },
    responses: { 200: { description: 'The resource, and whether its text could be extracted', schema: Uploaded } },
    problems: ['CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body, upload }) {
      const resource = await ingestResource(engine, caller, upload, {
        title: toText(body.title),
        description: toText(body.description),
        appId: body.app_id,
        projectId: body.project_id,
      });
      return { body: toUploaded(caller, resource) };
    },
  }),
  defineRoute({
    operation: 'resources.list',
    method: 'POST',
    path: '/resources/list',
    summary: 'List the resources of the user, newest first.',
    access: 'key',
    request: { body: listBody },
    responses: { 200: { description: 'One page of resources', schema: ResourceList } },
    async handle({ engine }: GatewayServices, { caller, body }) {
      const filter = { appId: body.app_id, projectId: body.project_id };
      const page = await listResources(engine, caller, { filter, limit: body.limit, cursor: body.cursor });
      return {
        body: {
          resources: page.items.map((resource) => toResource(caller, resource)),
          ...toNextCursor(page.nextCursor),
        },
      };
    },
  }),
  defineRoute({
    operation: 'resources.get',
    method: 'POST',
    path: '/resources/get',
    summary: 'Get a resource of the user.',
    access: 'key',
    request: { body: resourceBody },
    responses: { 200: { description: 'A list with the resource, empty if it does not exist', schema: ResourceList } },
    async handle({ engine }: GatewayServices, { caller, body }) {
      const resource = await getResource(engine, caller, body.resource_id);
      return { body: { resources: resource === undefined ? [] : [toResource(caller, resource)] } };
    },
  }),
  defineRoute({
    operation: 'resources.delete',
    method: 'POST',
    path: '/resources/delete',
    summary: 'Delete a resource, its file and the memories created from it.',
    access: 'key',
    request: { body: resourceBody },
    responses: { 200: { description: '1 if it was deleted, 0 if it did not exist', schema: Deleted } },
    problems: ['CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      return { body: { deleted: (await forgetResource(engine, caller, body.resource_id)) ? 1 : 0 } };
    },
  }),
];

/** An empty form field counts as not filled in. */
function toText(field: string | undefined): string | null {
  const text = field?.normalize('NFC').trim() ?? '';
  return text === '' ? null : text;
}
