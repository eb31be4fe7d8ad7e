import { Problem } from '@memhall/core';
import { findPathFault } from '../documents/document-path.js';
import type { PathVariables } from '../documents/path-template.js';

/** The variable of path templates that routing fills in. */
export const projectVariable = 'project_id';

/**
 * Returns the values in the form they have in stored paths. Each is one part of a path, or a piece of a part. Throws INVALID_PATH, or
 * INVALID_REQUEST for the project, which is given as a hint.
 */
export function toPathVariables(given: PathVariables): PathVariables {
  const entries = Object.entries(given).map(([name, value]) => {
    if (name === projectVariable) {
      throw new Problem('INVALID_REQUEST', `Send ${projectVariable} in "conversation_hint", not in "variables".`);
    }
    const fault = value.includes('/') ? 'must not contain a slash' : findPathFault(value);
    if (fault !== undefined) throw new Problem('INVALID_PATH', `The variable ${name} ${fault}.`);
    return [name, value.normalize('NFC')] as const;
  });
  return Object.fromEntries(entries);
}
