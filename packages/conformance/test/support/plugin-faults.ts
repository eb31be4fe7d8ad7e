import type { PluginRequirementId } from '../../src/plugin/plugin-requirements.js';
import type { Edit } from './example-plugin.js';

/** A mistake that a plugin author could make. */
export interface PluginFault {
  name: string;
  edit: Edit;
  /** Requirements that it always breaks. */
  breaks: readonly PluginRequirementId[];
  /** Other requirements that it may break, by chance or because they depend on the first ones. */
  also?: readonly PluginRequirementId[] | 'anything';
}

const inPlugin = (find: string, put: string): Edit => ({ file: 'plugin.mjs', find, put });
const inServe = (find: string, put: string): Edit => ({ file: 'serve.mjs', find, put });
const inStore = (find: string, put: string): Edit => ({ file: 'memory-store.mjs', find, put });
const inRequests = (find: string, put: string): Edit => ({ file: 'requests.mjs', find, put });
const inRanking = (find: string, put: string): Edit => ({ file: 'ranking.mjs', find, put });

export const pluginFaults: PluginFault[] = [
  {
    name: 'returns expired memories',
    edit: inStore('names.has(memory.namespace) && !isOver(memory) &&', 'names.has(memory.namespace) &&'),
    breaks: ['PLUGIN-HEALTH-04', 'PLUGIN-TTL-02', 'PLUGIN-TTL-03', 'PLUGIN-TTL-06', 'PLUGIN-TTL-08'],
  },
  {
    name: 'returns memories of expired namespaces',
    edit: inStore(
      'namespaces.filter((name) => this.#find(name) !== undefined)',
      'namespaces.filter((name) => this.#namespaces.has(name))',
    ),
    breaks: ['PLUGIN-TTL-04', 'PLUGIN-TTL-07'],
  },
  {
    name: 'ignores UTC offsets',
    edit: inRequests('return new Date(value).toISOString();', "return value.slice(0, 19) + 'Z';"),
    breaks: ['PLUGIN-TTL-01', 'PLUGIN-TTL-08'],
  },
  {
    name: 'changes created_at of a replaced memory',
    edit: inStore('const created_at = current?.created_at ?? new Date()', 'const created_at = new Date()'),
    breaks: ['PLUGIN-MEM-06'],
  },
  {
    name: 'merges a replaced memory with the old one',
    edit: inStore(
      '{ id, namespace, ...fields, created_at }',
      '{ ...current, ...JSON.parse(JSON.stringify(fields)), id, namespace, created_at }',
    ),
    breaks: ['PLUGIN-MEM-05', 'PLUGIN-PIN-01', 'PLUGIN-TTL-05'],
  },
  {
    name: 'stores a second memory with the same id',
    edit: inStore(
      'this.#memories.set(entry.write.id, entry.write);',
      'this.#memories.set(this.#memories.has(entry.write.id) ? randomUUID() : entry.write.id, entry.write);',
    ),
    breaks: [
      'PLUGIN-MEM-05',
      'PLUGIN-MEM-06',
      'PLUGIN-EMB-04',
      'PLUGIN-FTS-08',
      'PLUGIN-PIN-01',
      'PLUGIN-PAR-02',
      'PLUGIN-PAR-03',
    ],
    // These cases look only at the first of the two returned memories.
    also: ['PLUGIN-PROP-02', 'PLUGIN-TTL-05', 'PLUGIN-PAR-06'],
  },
  {
    name: 'assigns an id twice once there are many memories',
    edit: inStore(
      'given ?? randomUUID()',
      'given ?? [...this.#memories.values()].filter((one) => one.namespace === namespace)[64]?.id ?? randomUUID()',
    ),
    breaks: ['PLUGIN-PAR-01'],
  },
  {
    name: 'treats the same content as the same memory',
    edit: inStore(
      'given ?? randomUUID()',
      'given ?? [...this.#memories.values()].find((one) => one.namespace === namespace && one.content === fields.content)?.id ?? randomUUID()',
    ),
    breaks: ['PLUGIN-MEM-03', 'PLUGIN-FORGET-07'],
  },
  {
    name: 'takes over an id from another namespace',
    edit: inStore('if (current !== undefined && current.namespace !== namespace) livesElsewhere();', ''),
    breaks: ['PLUGIN-MEM-07', 'PLUGIN-PAR-03'],
  },
  {
    name: 'deletes on request of any namespace',
    edit: inStore('if (current.namespace !== namespace) livesElsewhere();', ''),
    breaks: ['PLUGIN-FORGET-03'],
  },
  {
    name: 'returns 404 instead of 403',
    edit: inStore("refuse(403, 'forbidden', 'The memory", "refuse(404, 'not_found', 'The memory"),
    breaks: ['PLUGIN-MEM-07', 'PLUGIN-FORGET-03', 'PLUGIN-PAR-03'],
  },
  {
    name: 'returns 204 for the delete of a missing memory',
    edit: inStore(
      "const current = this.#living(id) ?? refuse(404, 'not_found', 'There is no such memory.');",
      'const current = this.#living(id) ?? { namespace };',
    ),
    breaks: ['PLUGIN-FORGET-02', 'PLUGIN-NS-17', 'PLUGIN-PAR-05'],
  },
  {
    name: 'keeps the memories of a deleted namespace',
    edit: inStore(
      'if (namespace === entry.drop) this.#memories.delete(id);',
      'if (namespace === entry.drop && !id) this.#memories.delete(id);',
    ),
    breaks: ['PLUGIN-NS-17', 'PLUGIN-PAR-06'],
  },
  {
    name: 'deletes memories of namespaces with the same prefix',
    edit: inStore(
      'if (namespace === entry.drop) this.#memories.delete(id);',
      'if (namespace.startsWith(entry.drop)) this.#memories.delete(id);',
    ),
    breaks: ['PLUGIN-NS-18'],
    also: ['PLUGIN-NS-07'],
  },
  {
    name: 'matches namespaces by prefix',
    edit: inStore('names.has(memory.namespace) &&', 'namespaces.some((name) => memory.namespace.startsWith(name)) &&'),
    breaks: ['PLUGIN-NS-07'],
    also: ['PLUGIN-NS-18', 'PLUGIN-TTL-04', 'PLUGIN-TTL-07'],
  },
  {
    name: 'searches all namespaces',
    edit: inStore('names.has(memory.namespace) &&', 'names.size > 0 &&'),
    breaks: ['PLUGIN-SEARCH-03'],
    also: 'anything',
  },
  {
    name: 'ignores the limit',
    edit: inStore('.slice(0, limit)', ''),
    breaks: ['PLUGIN-SEARCH-08', 'PLUGIN-SEARCH-09'],
    also: ['PLUGIN-PIN-02', 'PLUGIN-PIN-04'],
  },
  {
    name: 'accepts any limit',
    edit: inServe('&& limit >= 1 && limit <= 100', ''),
    breaks: ['PLUGIN-SEARCH-07'],
  },
  {
    name: 'returns ten memories by default',
    edit: inServe('limit = 20', 'limit = 10'),
    breaks: ['PLUGIN-SEARCH-09'],
  },
  {
    name: 'ignores kinds',
    edit: inStore('(kinds?.includes(memory.kind) ?? true)', 'true'),
    breaks: ['PLUGIN-SEARCH-06'],
  },
  {
    name: 'ignores pins',
    edit: inStore('Number(pin === true)', 'Number(pin === undefined) * 0'),
    breaks: ['PLUGIN-PIN-02', 'PLUGIN-PIN-03', 'PLUGIN-PIN-04', 'PLUGIN-PIN-06', 'PLUGIN-HEALTH-04'],
  },
  {
    name: 'sorts pins first only after applying the limit',
    edit: inStore(
      'pinned(b.memory) - pinned(a.memory) || b.score - a.score)\n      .slice(0, limit)',
      'b.score - a.score)\n      .slice(0, Math.max(limit, 100))\n      .sort((a, b) => pinned(b.memory) - pinned(a.memory))\n      .slice(0, limit)',
    ),
    breaks: ['PLUGIN-PIN-04'],
  },
  {
    name: 'requires every word of a query',
    edit: inRanking(
      'return bags.map((bag) => wanted.reduce(',
      'return bags.map((bag) => wanted.every((word) => bag.has(word)) && wanted.reduce(',
    ),
    breaks: ['PLUGIN-FTS-01'],
    also: ['PLUGIN-FTS-02', 'PLUGIN-PIN-03', 'PLUGIN-PIN-04'],
  },
  {
    name: 'ranks by dot product instead of cosine',
    edit: inRanking('const similarity = dot / (Math.hypot(...one) * Math.hypot(...other));', 'const similarity = dot;'),
    breaks: ['PLUGIN-EMB-01'],
  },
  {
    name: 'lists a capability that it does not have',
    edit: inRanking(
      'const similarity = cosine(memory.embedding, embedding);',
      'const similarity = embedding === undefined ? undefined : 0;',
    ),
    breaks: ['PLUGIN-HEALTH-04', 'PLUGIN-EMB-01', 'PLUGIN-EMB-04', 'PLUGIN-EMB-05'],
    also: ['PLUGIN-EMB-02'],
  },
  {
    name: 'lists an unknown capability',
    edit: inPlugin("'pin', 'propagation']", "'pin', 'propagation', 'telepathy']"),
    breaks: ['PLUGIN-HEALTH-02'],
  },
  {
    name: 'ignores null in PATCH',
    edit: inServe('...(expires_at === undefined ? {}', '...((expires_at ?? undefined) === undefined ? {}'),
    breaks: ['PLUGIN-NS-12'],
  },
  {
    name: 'keeps cleared metadata',
    edit: inServe(
      '...(metadata === undefined ? {}',
      '...(metadata === undefined || Object.keys(to.object(metadata)).length === 0 ? {}',
    ),
    breaks: ['PLUGIN-NS-13'],
  },
  {
    name: 'accepts an empty PATCH',
    edit: inServe(
      "demand(expires_at !== undefined || metadata !== undefined, 'Say what to change: expires_at, metadata, or both.');",
      '',
    ),
    breaks: ['PLUGIN-NS-14'],
  },
  {
    name: 'merges on PUT',
    edit: inStore(
      'const namespace = { name, ...fields, created_at: current?',
      'const namespace = { ...current, name, ...JSON.parse(JSON.stringify(fields)), created_at: current?',
    ),
    breaks: ['PLUGIN-NS-09'],
  },
  {
    name: 'changes created_at of a namespace on PUT',
    edit: inStore('created_at: current?.created_at ?? new Date()', 'created_at: new Date()'),
    breaks: ['PLUGIN-NS-08', 'PLUGIN-NS-09'],
    also: ['PLUGIN-PAR-04'],
  },
  {
    name: 'accepts a trailing line break in a name',
    edit: inRequests('[A-Za-z0-9_:.-]+$/', '[A-Za-z0-9_:.-]+\\n?$/'),
    breaks: ['PLUGIN-NS-03', 'PLUGIN-NS-04', 'PLUGIN-HOSTILE-01'],
  },
  {
    name: 'creates a namespace on write',
    edit: inStore(
      'if (this.#find(namespace) === undefined) noNamespace();',
      "if (this.#find(namespace) === undefined) this.putNamespace(namespace, { kind: 'custom' });",
    ),
    breaks: ['PLUGIN-MEM-08', 'PLUGIN-NS-16'],
    also: ['PLUGIN-PAR-06'],
  },
  {
    name: 'trims content',
    edit: inServe('        content,\n', '        content: content.trim(),\n'),
    breaks: ['PLUGIN-MEM-13', 'PLUGIN-HOSTILE-11'],
  },
  {
    name: 'escapes content',
    edit: inServe('        content,\n', "        content: content.replaceAll('<', '&lt;'),\n"),
    breaks: ['PLUGIN-MEM-13', 'PLUGIN-HOSTILE-08'],
  },
  {
    name: 'stores blank content',
    edit: inServe("content.trim() !== ''", "content !== ''"),
    breaks: ['PLUGIN-MEM-09'],
  },
  {
    name: 'flattens propagation',
    edit: inServe(
      'ifGiven(propagation, to.object)',
      'propagation && Object.fromEntries(Object.entries(to.object(propagation)).map(([name, member]) => [name, String(member)]))',
    ),
    breaks: ['PLUGIN-PROP-01', 'PLUGIN-PROP-02', 'PLUGIN-HEALTH-04'],
  },
  {
    name: 'fails on bad JSON',
    edit: inRequests(
      "    demand(false, 'The body is not JSON.');\n",
      "    throw new Error('The body is not JSON.');\n",
    ),
    breaks: ['PLUGIN-ERR-07', 'PLUGIN-FORGET-04', 'PLUGIN-HOSTILE-04'],
  },
  {
    name: 'wraps its errors',
    edit: inRequests('body: { code, message } }', 'body: { error: { code, message } } }'),
    breaks: ['PLUGIN-ERR-01', 'PLUGIN-ERR-02', 'PLUGIN-TOKEN-01'],
  },
  {
    name: 'returns errors as plain text',
    edit: inServe(
      "json === undefined ? {} : { 'content-type': 'application/json' }",
      "json === undefined ? {} : { 'content-type': status < 400 ? 'application/json' : 'text/plain' }",
    ),
    breaks: ['PLUGIN-ERR-01'],
  },
  {
    name: 'returns 404 for an unsupported method',
    edit: inServe("refuse(405, 'bad_request'", "refuse(404, 'not_found'"),
    breaks: ['PLUGIN-ERR-04'],
  },
  {
    name: 'accepts bodies of any size',
    edit: inServe('const largestBody = 1024 * 1024;', 'const largestBody = 64 * 1024 * 1024;'),
    breaks: ['PLUGIN-ERR-05'],
  },
  {
    name: 'rejects unknown fields',
    edit: inServe(
      'const { id, content, kind, source, pin = false, expires_at, propagation, embedding } = read();',
      "const { id, content, kind, source, pin = false, expires_at, propagation, embedding, ...others } = read();\n      demand(Object.keys(others).length === 0, 'Unknown fields.');",
    ),
    breaks: ['PLUGIN-ERR-06', 'PLUGIN-ERR-08'],
  },
  {
    name: 'accepts calls without a token',
    edit: inServe('token === undefined ||', "token === undefined || authorization === '' ||"),
    breaks: ['PLUGIN-TOKEN-01'],
  },
  {
    name: 'reveals its stack trace',
    edit: inRequests('body: { code, message } }', 'body: { code, message: new Error(message).stack } }'),
    breaks: ['PLUGIN-ERR-09'],
  },
  {
    name: 'crashes on deep JSON',
    edit: inRequests("    demand(depth < 64, 'The body is nested too deep.');\n", ''),
    breaks: ['PLUGIN-HOSTILE-05'],
    also: 'anything',
  },
  {
    name: 'treats queries as patterns',
    edit: inRanking(
      '  const wanted = [...wordsOf(query)];\n',
      '  const wanted = [...wordsOf(query)];\n  new RegExp(query);\n',
    ),
    breaks: ['PLUGIN-FTS-09', 'PLUGIN-HOSTILE-08', 'PLUGIN-HOSTILE-09'],
  },
];
