import type { Resource, ResourceDescription } from '../ports/resources.js';

/** Description of a resource in the outer store: everything that cannot be read from its file. */
interface ResourceText {
  resource_id: string;
  app_id: string;
  project_id: string;
  file_name: string | null;
  title: string | null;
  description: string | null;
  media_type: string;
  size_bytes: number;
  sha256: string;
  created_at: string;
}

export function toResourceText(resource: Resource): string {
  const text: ResourceText = {
    resource_id: resource.resourceId,
    app_id: resource.appId,
    project_id: resource.projectId,
    file_name: resource.fileName,
    title: resource.title,
    description: resource.description,
    media_type: resource.mediaType,
    size_bytes: resource.sizeBytes,
    sha256: resource.contentHash,
    created_at: resource.createdAt.toISOString(),
  };
  return JSON.stringify(text);
}

/** Returns undefined if the text is not as Memhall wrote it. */
export function fromResourceText(resourceId: string, text: string): ResourceDescription | undefined {
  const told = parse(text);
  const createdAt = new Date(told?.created_at ?? '');
  const isOurs = told?.resource_id === resourceId && /^[0-9a-f]{64}$/.test(told.sha256 ?? '');
  if (told === undefined || !isOurs || Number.isNaN(createdAt.getTime())) return undefined;
  return {
    resourceId,
    appId: told.app_id ?? 'default',
    projectId: told.project_id ?? 'default',
    fileName: told.file_name ?? null,
    title: told.title ?? null,
    description: told.description ?? null,
    mediaType: told.media_type ?? '',
    sizeBytes: told.size_bytes ?? 0,
    contentHash: told.sha256 ?? '',
    createdAt,
  };
}

function parse(text: string): Partial<ResourceText> | undefined {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'object' && told !== null ? told : undefined;
  } catch {
    return undefined;
  }
}
