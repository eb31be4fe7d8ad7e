import { type FoundSecrets, type OptionalLabel, redact } from '@memhall/core';
import type { LegacyMemory } from '../../ports/legacy-memories.js';
import type { NewPluginMemory } from '../../ports/memory-plugin.js';
import { toPropagation } from '../plugin/legacy-origin.js';
import { RowFault } from './map-namespace.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface RedactedWrite {
  memory: NewPluginMemory & { id: string };
  found: FoundSecrets;
}

/**
 * Converts a row for a plugin: without secrets, in Unicode NFC. Returns undefined if it is blank. A plugin sets the
 * creation time itself, so the date and the other data of the old store go into `propagation`.
 */
export function toPluginWrite(row: LegacyMemory, also: readonly OptionalLabel[] = []): RedactedWrite | undefined {
  if (row.content === null) throw new RowFault(`has ${row.sizeBytes} bytes, which is too large to be copied`);
  if (!/\S/u.test(row.content)) return undefined;
  const id = row.id.toLowerCase();
  if (!uuid.test(id)) throw new RowFault('has an id that is not a UUID');
  const { text, found } = redact(row.content.normalize('NFC'), also);
  const { workspaceId, scope, label, createdAt } = row;
  const propagation = toPropagation({ workspaceId, scope, label, createdAt });
  return { memory: { id, content: text, kind: 'fact', source: 'agent', propagation }, found };
}
