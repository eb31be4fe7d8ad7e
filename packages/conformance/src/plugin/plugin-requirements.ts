import type { Requirement } from '../suite.js';

export const pluginCapabilities = ['embedding', 'fts', 'ttl', 'pin', 'propagation'] as const;

export const pluginGroups = {
  HEALTH: 'Health and capabilities',
  NS: 'Namespaces',
  MEM: 'Writing memories',
  SEARCH: 'Search',
  FTS: 'Search by words',
  EMB: 'Search by vectors',
  PIN: 'Pins',
  TTL: 'Expiry',
  PROP: 'Propagation',
  FORGET: 'Forgetting',
  ERR: 'Errors',
  TOKEN: 'Shared token',
  PAR: 'Concurrency',
  HOSTILE: 'Hostile input',
} as const;

/** The requirements of the memory plugin v1 contract. */
export const pluginRequirements = [
  must('PLUGIN-HEALTH-01', 'GET /v1/health returns a status, a version and a list of capabilities.'),
  must('PLUGIN-HEALTH-02', 'Capabilities are embedding, fts, ttl, pin and propagation; each is listed at most once.'),
  must(
    'PLUGIN-HEALTH-03',
    'The status is ok or degraded; ok has the HTTP status 200, and 503 has the status degraded.',
  ),
  must('PLUGIN-HEALTH-04', 'Every listed capability works.'),

  must('PLUGIN-NS-01', 'PUT creates a namespace and returns 200 with its name, kind and created_at.'),
  must('PLUGIN-NS-02', 'The kind is workspace, team, org or custom; any other or a missing kind is 400.'),
  must('PLUGIN-NS-03', 'A name that violates the grammar is 400 on every call with a name in its path.'),
  must('PLUGIN-NS-04', 'A name that violates the grammar is also 400 in a search and as requested_by_namespace.'),
  must('PLUGIN-NS-05', 'Names of up to 256 characters work on every call; longer names are 400.'),
  must('PLUGIN-NS-06', 'A name may contain every character of the grammar.'),
  must('PLUGIN-NS-07', 'Names are compared as a whole and are case-sensitive: a prefix of a name is a different name.'),
  must('PLUGIN-NS-08', 'Repeating the same PUT changes nothing: created_at and the memories stay.'),
  must('PLUGIN-NS-09', 'PUT replaces every field: omitted fields are cleared.'),
  must('PLUGIN-NS-10', 'Metadata is any JSON object and is returned unchanged.'),
  must('PLUGIN-NS-11', 'PATCH replaces each given field as a whole and changes no other field.'),
  must('PLUGIN-NS-12', 'PATCH with expires_at null removes the expiry of a namespace.', 'ttl'),
  must('PLUGIN-NS-13', 'PATCH with metadata {} clears the metadata.'),
  must('PLUGIN-NS-14', 'PATCH without any field to change is 400.'),
  must('PLUGIN-NS-15', 'PATCH and DELETE of a missing namespace are 404.'),
  must('PLUGIN-NS-16', 'DELETE returns 204 and removes the namespace.'),
  must(
    'PLUGIN-NS-17',
    'DELETE also deletes the memories: if created again, the namespace is empty, and their ids are free.',
  ),
  must('PLUGIN-NS-18', 'DELETE does not affect other namespaces, even if their names have the same prefix.'),
  must('PLUGIN-NS-19', 'Metadata that is not an object is 400 and changes nothing.'),

  must('PLUGIN-MEM-01', 'POST returns 201 with the id and the namespace.'),
  must('PLUGIN-MEM-02', 'A memory is found with all its fields as soon as the response to its write has arrived.'),
  must('PLUGIN-MEM-03', 'Each write without an id creates a new memory with a new UUID, regardless of its content.'),
  must('PLUGIN-MEM-04', 'A given id becomes the id of the memory.'),
  must('PLUGIN-MEM-05', 'A second write with the same id returns 201 and replaces every field of the memory.'),
  must('PLUGIN-MEM-06', 'A replaced memory keeps its created_at.'),
  must('PLUGIN-MEM-07', 'A write with the id of a memory in another namespace is 403 and does not change that memory.'),
  must('PLUGIN-MEM-08', 'A write to a missing namespace is 404 and does not create the namespace.'),
  must('PLUGIN-MEM-09', 'Content that is missing, blank or not a string is 400, and nothing is stored.'),
  must('PLUGIN-MEM-10', 'The kind is fact, summary or checkpoint; any other or a missing kind is 400.'),
  must('PLUGIN-MEM-11', 'The source is agent, runtime or user; any other or a missing source is 400.'),
  must('PLUGIN-MEM-12', 'An id that is not a UUID is 400.'),
  must('PLUGIN-MEM-13', 'Content is returned unchanged: not trimmed, escaped, redacted or truncated.'),
  must('PLUGIN-MEM-14', 'Content of 100,000 characters is stored completely or rejected with 400 or 413.'),
  must('PLUGIN-MEM-15', 'Timestamps are RFC 3339.'),

  must('PLUGIN-SEARCH-01', 'A search without matches is 200 with an empty list.'),
  must('PLUGIN-SEARCH-02', 'A search requires a list of at least one namespace; anything else is 400.'),
  must('PLUGIN-SEARCH-03', 'Only memories of the given namespaces are returned.'),
  must('PLUGIN-SEARCH-04', 'A missing namespace does not affect the results of the other namespaces.'),
  must('PLUGIN-SEARCH-05', 'Without a query and an embedding, the newest memories come first.'),
  must('PLUGIN-SEARCH-06', 'If kinds are given, only memories of these kinds are returned; an unknown kind is 400.'),
  must('PLUGIN-SEARCH-07', 'The limit is a whole number from 1 to 100; anything else is 400.'),
  must('PLUGIN-SEARCH-08', 'No kind of search returns more memories than the limit.'),
  must('PLUGIN-SEARCH-09', 'Without a limit, at most 20 memories are returned.'),
  must('PLUGIN-SEARCH-10', 'A namespace that is given twice counts once.'),
  must('PLUGIN-SEARCH-11', 'A memory has id, namespace, content, kind, source and created_at; a score is a number.'),
  should('PLUGIN-SEARCH-12', 'A blank query is treated like no query.', 'fts'),

  must('PLUGIN-FTS-01', 'Any word of the query can match.', 'fts'),
  must(
    'PLUGIN-FTS-02',
    'Better matches come first: a memory with more of the words comes before one with fewer.',
    'fts',
  ),
  must('PLUGIN-FTS-03', 'A memory that shares a word with the query comes before one that shares none.', 'fts'),
  should('PLUGIN-FTS-04', 'A query whose words occur nowhere finds nothing.', 'fts'),
  must('PLUGIN-FTS-05', 'Words match regardless of case and punctuation.', 'fts'),
  must('PLUGIN-FTS-06', 'Words with accents and in other alphabets match.', 'fts'),
  should('PLUGIN-FTS-07', 'Words in scripts without spaces match.', 'fts'),
  must('PLUGIN-FTS-08', 'A replaced memory is found by its new words and not by its old ones.', 'fts'),
  must('PLUGIN-FTS-09', 'Characters with a special meaning in databases or patterns are plain text in a query.', 'fts'),
  { id: 'PLUGIN-FTS-10', level: 'must', sentence: 'Without fts, a query is ignored or 400.', lacks: 'fts' },

  must(
    'PLUGIN-EMB-01',
    'With an embedding, the most similar memories by cosine come first, regardless of vector length.',
    'embedding',
  ),
  must(
    'PLUGIN-EMB-02',
    'Query and embedding are fused: a memory that matches both comes before one that matches only one.',
    'embedding',
    'fts',
  ),
  must('PLUGIN-EMB-03', 'An embedding that is empty or not a list of numbers is 400.', 'embedding'),
  must('PLUGIN-EMB-04', 'A replaced memory is found by its new embedding and not by its old one.', 'embedding'),
  must('PLUGIN-EMB-05', 'An embedding of a different length is accepted or 400.', 'embedding'),
  must(
    'PLUGIN-EMB-06',
    'A memory without an embedding can be written and is found by searches without an embedding.',
    'embedding',
  ),
  {
    id: 'PLUGIN-EMB-07',
    level: 'must',
    sentence: 'Without embedding, a vector is ignored or 400.',
    lacks: 'embedding',
  },

  must('PLUGIN-PIN-01', 'A pinned memory is returned with pin: true, others with pin: false or without pin.', 'pin'),
  must('PLUGIN-PIN-02', 'Without a query and an embedding, pinned memories come first.', 'pin'),
  must('PLUGIN-PIN-03', 'Among the matches of a query, pinned memories come first.', 'pin', 'fts'),
  must('PLUGIN-PIN-04', 'The limit never cuts off a pinned match in favour of an unpinned one.', 'pin', 'fts'),
  must('PLUGIN-PIN-05', 'A pinned memory that does not match is not returned.', 'pin', 'fts'),
  must('PLUGIN-PIN-06', 'Among the results for an embedding, pinned memories come first.', 'pin', 'embedding'),
  must('PLUGIN-PIN-07', 'A pin that is not a boolean is 400.', 'pin'),
  {
    id: 'PLUGIN-PIN-08',
    level: 'must',
    sentence: 'Without pin, a pin is ignored or 400; memories returned as pinned come first.',
    lacks: 'pin',
  },

  must('PLUGIN-TTL-01', 'A memory and a namespace are returned with the time of their expires_at.', 'ttl'),
  must('PLUGIN-TTL-02', 'An expired memory is never returned by any kind of search.', 'ttl'),
  must('PLUGIN-TTL-03', 'A memory that is written with an expiry in the past is never returned.', 'ttl'),
  must('PLUGIN-TTL-04', 'Memories of an expired namespace are never returned.', 'ttl'),
  must('PLUGIN-TTL-05', 'A memory that is replaced without expires_at no longer expires.', 'ttl'),
  must('PLUGIN-TTL-06', 'An expired memory does not count towards the limit.', 'ttl'),
  must('PLUGIN-TTL-07', 'PATCH can shorten the lifetime of a namespace.', 'ttl'),
  must('PLUGIN-TTL-08', 'An expires_at may have an offset from UTC.', 'ttl'),
  must('PLUGIN-TTL-09', 'An expires_at that is not a timestamp is 400 in PUT, PATCH and POST.', 'ttl'),
  {
    id: 'PLUGIN-TTL-10',
    level: 'must',
    sentence: 'Without ttl, expires_at is accepted or 400 and does no harm.',
    lacks: 'ttl',
  },

  must(
    'PLUGIN-PROP-01',
    'Propagation is returned unchanged: at any depth, in any script, with any names.',
    'propagation',
  ),
  must('PLUGIN-PROP-02', 'Propagation is replaced as a whole, not merged.', 'propagation'),
  must('PLUGIN-PROP-03', 'Propagation that is not an object is 400.', 'propagation'),
  {
    id: 'PLUGIN-PROP-04',
    level: 'must',
    sentence: 'Without propagation, the field is ignored or 400; if it is returned, it is complete.',
    lacks: 'propagation',
  },

  must('PLUGIN-FORGET-01', 'DELETE of a memory returns 204, and no search finds the memory afterwards.'),
  must('PLUGIN-FORGET-02', 'DELETE of a missing memory is 404.'),
  must('PLUGIN-FORGET-03', 'DELETE requested by another namespace is 403, and the memory stays.'),
  must('PLUGIN-FORGET-04', 'DELETE without requested_by_namespace is 400, and the memory stays.'),
  must('PLUGIN-FORGET-05', 'DELETE of an id that is not a UUID is 400 or 404.'),
  must('PLUGIN-FORGET-06', 'The id of a forgotten memory can be used again, in any namespace.'),
  must('PLUGIN-FORGET-07', 'DELETE removes only the given memory.'),

  must('PLUGIN-ERR-01', 'An error is JSON with code, message and optional details.'),
  must(
    'PLUGIN-ERR-02',
    'The code follows the status: 404 not_found, 403 forbidden, 503 unavailable, other 4xx bad_request, other 5xx internal.',
  ),
  must('PLUGIN-ERR-03', 'A path outside the contract is 404.'),
  must('PLUGIN-ERR-04', 'A method that a path does not support is 405.'),
  must('PLUGIN-ERR-05', 'A body larger than 1 MiB is 413.'),
  must('PLUGIN-ERR-06', 'A body smaller than 1 MiB is not 413.'),
  must('PLUGIN-ERR-07', 'A body that is not a JSON object is 400.'),
  must('PLUGIN-ERR-08', 'Fields outside the contract are ignored.'),
  should('PLUGIN-ERR-09', 'Errors reveal no internals: no stack trace, no SQL, no path.'),

  must('PLUGIN-TOKEN-01', 'If a token is in use, calls without it are 401 or 403 and change nothing.', 'token'),

  must('PLUGIN-PAR-01', 'A hundred concurrent writes all succeed with different ids, and all memories are found.'),
  must('PLUGIN-PAR-02', 'Concurrent writes with the same id create one memory.'),
  must('PLUGIN-PAR-03', 'An id that two namespaces claim concurrently goes to exactly one of them.'),
  must('PLUGIN-PAR-04', 'Concurrent PUTs of the same namespace create one namespace.'),
  must('PLUGIN-PAR-05', 'Of concurrent deletes of the same memory, exactly one is 204.'),
  must('PLUGIN-PAR-06', 'Writes that are concurrent with the DELETE of their namespace leave nothing behind.'),

  must('PLUGIN-HOSTILE-01', 'Paths with traversal, early termination or broken encoding are 400 or 404.'),
  must('PLUGIN-HOSTILE-02', 'Values of a wrong type are 400 in every field.'),
  must('PLUGIN-HOSTILE-03', 'NUL in a text is rejected with 400 or stored; a text is never truncated at NUL.'),
  must('PLUGIN-HOSTILE-04', 'A lone surrogate is rejected with 400 or stored such that responses stay valid JSON.'),
  must('PLUGIN-HOSTILE-05', 'JSON of absurd depth gets a response, and the plugin keeps running.'),
  must('PLUGIN-HOSTILE-06', 'Numbers that are too large to store do not cause a server error.'),
  must('PLUGIN-HOSTILE-07', 'Names such as __proto__ and constructor have no effect.'),
  must('PLUGIN-HOSTILE-08', 'Code in a text (SQL, shell, templates, markup) is stored as text and never executed.'),
  must('PLUGIN-HOSTILE-09', 'Very long queries and queries designed to be slow get a response in time.'),
  must('PLUGIN-HOSTILE-10', 'A search of two hundred namespaces works.'),
  must('PLUGIN-HOSTILE-11', 'Text in every script, with joiners and direction marks, is returned unchanged.'),
] as const satisfies readonly Requirement[];

export type PluginRequirementId = (typeof pluginRequirements)[number]['id'];

function must<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'must', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}

function should<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'should', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}
