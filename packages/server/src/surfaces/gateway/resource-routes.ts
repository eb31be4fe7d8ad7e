import { forgetResource } from '../../engine/resources/forget-resource.js';
import { ingestResource } from '../../engine/resources/ingest-resource.js';
import { getResource, listResources } from '../../engine/resources/list-resources.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { Deleted } from './gateway-schemas.js';
import type { GatewayServices } from './gateway-services.js';
import { listBody, ResourceList, resourceBody, Uploaded, uploadBody } from './resource-schemas.js';
import { toResource, toUploaded } from './to-resource.js';

export const resourceRoutes = [
  defineRoute({
    operation: 'resources.upload',
    method: 'POST',
    path: '/resources',
    summary: 'Upload a file; its text is found from then on',
    description:
      'Text, Markdown, HTML, CSV, JSON, PDF or DOCX, told by its content. The same bytes again are the same resource. Fields sent before the file are checked before it is read.',
    access: 'key',
    upload: true,
    request: { body: uploadBody },
    responses: { 200: { description: 'What came of it', schema: Uploaded } },
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
    summary: 'The user’s resources, newest first',
    access: 'key',
    request: { body: listBody },
    responses: { 200: { description: 'A page of them', schema: ResourceList } },
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
    summary: 'One of the user’s resources',
    access: 'key',
    request: { body: resourceBody },
    responses: { 200: { description: 'A list of it alone, empty where there is none', schema: ResourceList } },
    async handle({ engine }: GatewayServices, { caller, body }) {
      const resource = await getResource(engine, caller, body.resource_id);
      return { body: { resources: resource === undefined ? [] : [toResource(caller, resource)] } };
    },
  }),
  defineRoute({
    operation: 'resources.delete',
    method: 'POST',
    path: '/resources/delete',
    summary: 'Remove a resource with its file and all that was found by it',
    access: 'key',
    request: { body: resourceBody },
    responses: { 200: { description: 'Whether there was one', schema: Deleted } },
    problems: ['CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      return { body: { deleted: (await forgetResource(engine, caller, body.resource_id)) ? 1 : 0 } };
    },
  }),
];

/** An empty field of a form is one that was not filled in. */
function toText(field: string | undefined): string | null {
  const text = field?.normalize('NFC').trim() ?? '';
  return text === '' ? null : text;
}
