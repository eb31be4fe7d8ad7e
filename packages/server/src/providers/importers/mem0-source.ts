import type { ForeignItem } from '../../ports/foreign-memories.js';
import { fieldsOf, given, isFields, listOf, momentOf, nameOf, textOf } from './foreign-fields.js';
import type { ForeignFiles } from './foreign-files.js';
import { chooseFiles, isJson, isUnfit, readRecords } from './read-records.js';

/** What `getAll` of mem0 returns, in its library and its platform: a list of memories, or an object with it as `results`. */
export async function* mem0Source(files: ForeignFiles): AsyncGenerator<ForeignItem> {
  for await (const record of readRecords(chooseFiles(files, isJson, 'JSON file'))) {
    if (isUnfit(record)) yield record;
    else if (['', 'results', 'memories'].includes(record.under)) yield toItem(record.value, record.place);
    else if (record.under === 'relations')
      yield {
        type: 'unfit',
        place: record.place,
        reason: 'a relation of the graph, which has neither an id nor a time',
      };
  }
}

function toItem(value: unknown, place: string): ForeignItem {
  const unfit = (reason: string): ForeignItem => ({ type: 'unfit', place, reason });
  if (!isFields(value)) return unfit('not a memory');
  // The SDK of the platform has names in camel case; results of vector stores have the text as `data`.
  const get = (name: string) =>
    value[name] ?? value[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
  const id = nameOf(get('id'));
  const text = textOf(get('memory') ?? get('text') ?? get('data'));
  if (id === undefined) return unfit('no id');
  if (text === undefined) return unfit('no text');
  const [user, agent, app, run] = ['user_id', 'agent_id', 'app_id', 'run_id'].map((name) => nameOf(get(name)));
  const others = [
    agent === undefined ? [] : [`agent ${agent}`],
    app === undefined ? [] : [`app ${app}`],
    run === undefined ? [] : [`run ${run}`],
  ].flat();
  return {
    ...{ type: 'memory', place, id, kind: 'fact', text },
    // The text is what it was made by the last update.
    occurredAt: momentOf(get('updated_at'), get('created_at')),
    author: nameOf(get('actor_id')) ?? user ?? agent,
    owners: user === undefined ? others : [user],
    ...(run === undefined ? {} : { session: run }),
    tags: listOf(get('categories')).flatMap((category) => nameOf(category) ?? []),
    details: given({ agent, app, created_at: momentOf(get('created_at'))?.toISOString(), metadata: metadataOf(value) }),
  };
}

function metadataOf({ metadata }: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(fieldsOf(metadata)).length === 0 ? undefined : metadata;
}
