import type { ForeignItem, ForeignMemory } from '../../ports/foreign-memories.js';
import { digestOf, given, isFields, listOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isJson, isUnfit, type PlacedRecord, readRecords } from './read-records.js';

/**
 * The file of the MCP memory server: one entity or relation a line. It says neither when something was said nor by whom, so the file's
 * own time stands for it.
 */
export async function* mcpMemorySource(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  const chosen = chooseFiles(files, isJson, 'memory.jsonl');
  for await (const record of readRecords(chosen, () => 'lines')) {
    if (isUnfit(record)) yield record;
    else yield* toItems(record);
  }
}

function* toItems({ value, place, file }: PlacedRecord): Generator<ForeignItem> {
  if (!isFields(value)) {
    yield { type: 'unfit', place, reason: 'neither an entity nor a relation' };
  } else if (value.type === 'entity') {
    yield* toObservations(value, place, file.modifiedAt);
  } else if (value.type === 'relation') {
    const [from, to, relation] = [value.from, value.to, value.relationType].map(nameOf);
    if (from === undefined || to === undefined || relation === undefined) {
      yield { type: 'unfit', place, reason: 'a relation without its names' };
    } else {
      const text = `${from} ${relation.replaceAll('_', ' ')} ${to}`;
      yield { ...statement(place, file.modifiedAt), id: digestOf('relation', from, relation, to), text };
    }
  } else {
    yield { type: 'unfit', place, reason: 'neither an entity nor a relation' };
  }
}

function* toObservations(value: Readonly<Record<string, unknown>>, place: string, at: Date): Generator<ForeignItem> {
  const name = nameOf(value.name);
  const observations = listOf(value.observations);
  if (name === undefined) yield { type: 'unfit', place, reason: 'an entity without a name' };
  else if (observations.length === 0)
    yield { type: 'unfit', place, reason: 'an entity about which nothing was observed' };
  else {
    const entityType = nameOf(value.entityType);
    for (const observation of observations) {
      const observed = textOf(observation);
      if (observed === undefined) yield { type: 'unfit', place, reason: 'an observation without text' };
      else {
        yield {
          ...statement(place, at),
          id: digestOf('entity', name, observed),
          text: `${name}: ${observed}`,
          details: given({ entity: name, entity_type: entityType }),
        };
      }
    }
  }
}

function statement(place: string, occurredAt: Date): Omit<ForeignMemory, 'id' | 'text'> {
  return { type: 'memory', place, kind: 'fact', occurredAt };
}
