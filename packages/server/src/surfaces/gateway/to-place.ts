import type { ChatPlace } from '../../ports/episodes.js';

export function toPlace(sessionId: string, body: { app_id: string; project_id: string }): ChatPlace {
  return { sessionId, appId: body.app_id, projectId: body.project_id };
}
