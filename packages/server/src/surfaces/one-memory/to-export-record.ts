import type { Member } from '../../engine/one-memory/member.js';
import type { ExportPart } from '../../engine/personal-export/export-part.js';
import type { Resource } from '../../ports/resources.js';
import { toAnyMemory } from './to-any-memory.js';
import { toFact } from './to-fact.js';

/** Changes if a program that reads exports would have to. */
const formatVersion = 1;

/** Returns a part of an export as an object of one line. Fields have the names they have in the API. */
export function toExportRecord({ tenantId, userId }: Member, part: ExportPart): object {
  switch (part.type) {
    case 'begin': {
      const about = { format: 'memhall-memory', version: formatVersion, tenant_id: tenantId, user_id: userId };
      return { type: 'export', ...about, exported_at: part.at.toISOString() };
    }
    case 'fact':
      return { type: 'fact', ...toFact(part), superseded_by: part.fact.state.supersededBy };
    case 'memory':
      return { type: 'memory', ...toAnyMemory(part.memory) };
    case 'document': {
      const { namespace, path, version, etag, body } = part.document;
      return { type: 'document', namespace, path, version, etag, document: body };
    }
    case 'file':
      return { type: 'file', ...toFile(part.resource) };
    case 'end':
      return { type: 'end', counts: part.counts };
  }
}

function toFile(file: Resource) {
  const { resourceId, fileName, title, description, mediaType, sizeBytes, contentHash, status, reason, chunks } = file;
  return {
    ...{ resource_id: resourceId, file_name: fileName, title, description, media_type: mediaType },
    ...{ size_bytes: sizeBytes, content_sha256: contentHash, status, reason, pieces: chunks },
    ...{ app_id: file.appId, project_id: file.projectId, created_at: file.createdAt.toISOString() },
  };
}
