import type { Static } from 'typebox';
import { resourceSession, resourceUri } from '../../engine/resources/resource-chunks.js';
import type { Resource } from '../../ports/resources.js';
import type { ResourceShape, Uploaded } from './resource-schemas.js';

interface Owner {
  tenantId: string;
  userId: string;
}

export function toUploaded(owner: Owner, { resourceId, status, reason, chunks }: Resource): Static<typeof Uploaded> {
  return {
    resource_id: resourceId,
    session_id: resourceSession(owner.userId, resourceId),
    uri: resourceUri(owner, resourceId),
    status,
    ...(reason === null ? {} : { reason: reason as NonNullable<Static<typeof Uploaded>['reason']> }),
    chunks,
  };
}

export function toResource(owner: Owner, resource: Resource): ResourceShape {
  return {
    ...toUploaded(owner, resource),
    title: resource.title,
    description: resource.description,
    file_name: resource.fileName,
    media_type: resource.mediaType,
    size_bytes: resource.sizeBytes,
    app_id: resource.appId,
    project_id: resource.projectId,
    created_at: resource.createdAt.toISOString(),
  };
}
