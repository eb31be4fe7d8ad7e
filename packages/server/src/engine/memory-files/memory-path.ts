import { Buffer } from 'node:buffer';
import { redact, scanText } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { fileNamespace } from './memory-file-profile.js';
import { Refusal } from './refusal.js';

export const directory = '/memories';

/** In characters, without `/memories/`: leaves room for the root in the path of the document. */
const maxLength = 300;
const maxPartBytes = 255;
const maxDepth = 16;
const maxShown = 200;

/** Characters that cannot be seen or that break lines. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
/** `.`, `/`, `\`, NUL or `%` as they are written in URLs. */
const encoded = /%(?:2e|2f|5c|00|25)/i;

/** Where the files of a user are, or those of one of the user's agents. */
export type FileRoot = string;

export function fileRootOf(agentId: string | null | undefined): FileRoot {
  return agentId === null || agentId === undefined ? 'user' : `agent:${agentId}`;
}

export interface MemoryPath {
  /** Below `/memories`, in the form it is stored in; empty for `/memories` itself. */
  name: string;
  /** As it is shown to models. */
  shown: string;
}

/** Throws Refusal. Nothing that a file system could take for another path is valid: a folder on a disk may be a copy of these files. */
export function toMemoryPath(given: string): MemoryPath {
  const parts = given.normalize('NFC').split('/');
  if (parts.length > 2 && parts.at(-1) === '') parts.pop();
  const [before, first, ...rest] = parts;
  if (before !== '' || first !== 'memories') {
    throw new Refusal(`Error: Path must start with ${directory}, got: ${printable(given)}`);
  }
  if (encoded.test(given) || given.includes('\\') || rest.some(isTraversal)) {
    throw new Refusal(`Error: Path ${printable(given)} would escape ${directory} directory`);
  }
  const name = rest.join('/');
  const fault = findFault(name, rest);
  if (fault !== undefined) throw new Refusal(`Error: Path ${printable(given)} ${fault}. Choose another name.`);
  return { name, shown: toShown(name) };
}

/** Returns whether a stored name could be given as a path. Documents may have got their names another way. */
export function isMemoryName(name: string): boolean {
  try {
    return toMemoryPath(`${directory}/${name}`).name === name;
  } catch {
    return false;
  }
}

export function toShown(name: string): string {
  return name === '' ? directory : `${directory}/${name}`;
}

export function placeOf(root: FileRoot, name: string): DocumentPlace {
  return { namespace: fileNamespace, path: `${root}/${name}` };
}

/** Throws Refusal if a new name is not one that other models should read. */
export function checkNewName({ name, shown }: MemoryPath): void {
  if (scanText(name) !== undefined) {
    throw new Refusal('Error: The path contains something that must not reach a model. Choose another name.');
  }
  if (redact(shown).text !== shown) {
    throw new Refusal('Error: The path contains what looks like a secret. Choose another name.');
  }
}

function isTraversal(part: string): boolean {
  const plain = part.normalize('NFKC').trim();
  return plain === '.' || plain === '..' || /[\\/]/.test(plain);
}

function findFault(name: string, parts: readonly string[]): string | undefined {
  if (name.length > maxLength) return `has more than ${maxLength} characters after ${directory}/`;
  if (parts.length > maxDepth) return `has more than ${maxDepth} levels`;
  if (parts.includes('')) return 'has an empty part';
  if (invisible.test(name)) return 'contains a control character or an invisible one';
  if (parts.some((part) => /^\s|[\s.]$/u.test(part)))
    return 'has a part that begins with a space, or ends with a space or a dot';
  if (parts.some((part) => Buffer.byteLength(part) > maxPartBytes))
    return `has a part of more than ${maxPartBytes} bytes`;
  return undefined;
}

function printable(given: string): string {
  const text = given.length > maxShown ? `${given.slice(0, maxShown)}…` : given;
  return text.toWellFormed().replaceAll(new RegExp(invisible, 'gu'), '\u{fffd}');
}
