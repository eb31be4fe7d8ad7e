import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';

const maxLength = 512;

/** Returns the first reason why a text is not a valid document path, or undefined. Paths are relative; `/` separates parts. */
export function findPathFault(path: string): string | undefined {
  if (path.length > maxLength) return `has more than ${maxLength} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/')) return 'must be relative';
  const parts = path.split('/');
  if (parts.includes('')) return 'has an empty part';
  if (parts.some((part) => part === '.' || part === '..')) return 'must not contain . or .. as a part';
  return undefined;
}

/** Returns the path in the form it is stored in. Throws INVALID_PATH. */
export function toDocumentPath(path: string): string {
  const fault = findPathFault(path);
  if (fault !== undefined) throw new Problem('INVALID_PATH', `The document path ${fault}.`);
  return path.normalize('NFC');
}

/** Returns a document's name in the audit log. */
export function documentTarget({ namespace, path }: DocumentPlace): string {
  return `documents/${namespace}/${path}`;
}

export function fromDocumentTarget(target: string): DocumentPlace {
  return toPlace(target.slice(target.indexOf('/') + 1));
}

/** Parses `namespace/path`. */
export function toPlace(text: string): DocumentPlace {
  const [namespace = '', ...parts] = text.split('/');
  return { namespace, path: parts.join('/') };
}
