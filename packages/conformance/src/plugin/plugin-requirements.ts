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
  PAR: 'Many callers at once',
  HOSTILE: 'Hostile input',
} as const;

/** Memory plugin v1, sentence by sentence. */
export const pluginRequirements = [
  must('PLUGIN-HEALTH-01', 'GET /v1/health answers with a status, a version and a list of capabilities.'),
  must('PLUGIN-HEALTH-02', 'Capabilities are embedding, fts, ttl, pin and propagation; each is listed once at most.'),
  must('PLUGIN-HEALTH-03', 'The status is ok or degraded; 503 comes with degraded, and ok with 200.'),
  must('PLUGIN-HEALTH-04', 'Every capability that is listed works.'),

  must('PLUGIN-NS-01', 'PUT makes a namespace and answers 200 with its name, kind and created_at.'),
  must('PLUGIN-NS-02', 'The kind is workspace, team, org or custom; another one, or none, is 400.'),
  must('PLUGIN-NS-03', 'A name that breaks the grammar is 400 on every call that has one in its path.'),
  must('PLUGIN-NS-04', 'A name that breaks the grammar is 400 in a search and as requested_by_namespace too.'),
  must('PLUGIN-NS-05', 'Names of up to 256 characters work on every call, longer ones are 400.'),
  must('PLUGIN-NS-06', 'Every character that the grammar has may stand in a name.'),
  must('PLUGIN-NS-07', 'Names are compared whole, with case: the beginning of a name is another name.'),
  must('PLUGIN-NS-08', 'PUT of the same again changes nothing: created_at and the memories stay.'),
  must('PLUGIN-NS-09', 'PUT replaces every field: what is left out is gone.'),
  must('PLUGIN-NS-10', 'Metadata is any JSON object, and comes back as it was.'),
  must('PLUGIN-NS-11', 'PATCH changes the fields it names, whole, and no other.'),
  must('PLUGIN-NS-12', 'PATCH with expires_at null makes a namespace last.', 'ttl'),
  must('PLUGIN-NS-13', 'PATCH with metadata {} clears the metadata.'),
  must('PLUGIN-NS-14', 'PATCH that sets no field is 400.'),
  must('PLUGIN-NS-15', 'PATCH and DELETE of a namespace that is not there are 404.'),
  must('PLUGIN-NS-16', 'DELETE answers 204, and the namespace is gone.'),
  must('PLUGIN-NS-17', 'DELETE takes the memories with it: made anew, the namespace is empty, and their ids are free.'),
  must('PLUGIN-NS-18', 'DELETE leaves other namespaces alone, also those whose names begin alike.'),
  must('PLUGIN-NS-19', 'Metadata that is no object is 400, and changes nothing.'),

  must('PLUGIN-MEM-01', 'POST answers 201 with the id and the namespace.'),
  must('PLUGIN-MEM-02', 'A memory is found as soon as its write was answered, with every field it was given.'),
  must('PLUGIN-MEM-03', 'Without an id each write makes a new memory with a fresh UUID, whatever its content.'),
  must('PLUGIN-MEM-04', 'An id that is given is the id of the memory.'),
  must('PLUGIN-MEM-05', 'A second write with the same id answers 201 and replaces the memory in place, every field.'),
  must('PLUGIN-MEM-06', 'A replaced memory keeps its created_at.'),
  must('PLUGIN-MEM-07', 'An id that lives in another namespace is 403, and that memory stays as it is.'),
  must('PLUGIN-MEM-08', 'A write to a namespace that is not there is 404, and makes none.'),
  must('PLUGIN-MEM-09', 'Content that is missing, blank or no text is 400, and nothing is stored.'),
  must('PLUGIN-MEM-10', 'The kind is fact, summary or checkpoint; another one, or none, is 400.'),
  must('PLUGIN-MEM-11', 'The source is agent, runtime or user; another one, or none, is 400.'),
  must('PLUGIN-MEM-12', 'An id that is no UUID is 400.'),
  must('PLUGIN-MEM-13', 'Content comes back character by character: not trimmed, escaped, redacted or cut.'),
  must('PLUGIN-MEM-14', 'A content of 100,000 characters is kept whole, or refused with 400 or 413.'),
  must('PLUGIN-MEM-15', 'Timestamps are RFC 3339.'),

  must('PLUGIN-SEARCH-01', 'A search that finds nothing is 200 with an empty list.'),
  must('PLUGIN-SEARCH-02', 'At least one namespace must be named, in a list; else 400.'),
  must('PLUGIN-SEARCH-03', 'Only memories of the namespaces that are named come back.'),
  must('PLUGIN-SEARCH-04', 'A namespace that is not there adds nothing, and takes nothing away.'),
  must('PLUGIN-SEARCH-05', 'Without a query and an embedding the newest come first.'),
  must('PLUGIN-SEARCH-06', 'Of the kinds that are named only those come back; an unknown kind is 400.'),
  must('PLUGIN-SEARCH-07', 'The limit is a whole number from 1 to 100; else 400.'),
  must('PLUGIN-SEARCH-08', 'No more come back than the limit says, in any kind of search.'),
  must('PLUGIN-SEARCH-09', 'Without a limit at most 20 come back.'),
  must('PLUGIN-SEARCH-10', 'A namespace that is named twice counts once.'),
  must('PLUGIN-SEARCH-11', 'A memory has id, namespace, content, kind, source and created_at; a score is a number.'),
  should('PLUGIN-SEARCH-12', 'A blank query counts as none.', 'fts'),

  must('PLUGIN-FTS-01', 'Any word of the query can match.', 'fts'),
  must('PLUGIN-FTS-02', 'Better matches come first: more of the words before fewer.', 'fts'),
  must('PLUGIN-FTS-03', 'What shares a word with the query comes before what shares none.', 'fts'),
  should('PLUGIN-FTS-04', 'A query whose words occur nowhere finds nothing.', 'fts'),
  must('PLUGIN-FTS-05', 'Case and punctuation do not keep words from matching.', 'fts'),
  must('PLUGIN-FTS-06', 'Words with accents and in other alphabets match.', 'fts'),
  should('PLUGIN-FTS-07', 'Words of scripts without spaces match.', 'fts'),
  must('PLUGIN-FTS-08', 'A replaced memory is found by its new words, and by its old ones no more.', 'fts'),
  must('PLUGIN-FTS-09', 'Signs that mean something to a database or a pattern are plain text in a query.', 'fts'),
  { id: 'PLUGIN-FTS-10', level: 'must', sentence: 'Without fts a query is ignored or 400.', lacks: 'fts' },

  must('PLUGIN-EMB-01', 'With an embedding the most similar by cosine come first, whatever their length.', 'embedding'),
  must(
    'PLUGIN-EMB-02',
    'Query and embedding are fused: what fits both comes before what fits one.',
    'embedding',
    'fts',
  ),
  must('PLUGIN-EMB-03', 'An embedding that is no list of numbers, or empty, is 400.', 'embedding'),
  must('PLUGIN-EMB-04', 'A replaced memory is found by its new embedding, not by its old one.', 'embedding'),
  must('PLUGIN-EMB-05', 'An embedding of another length is taken or 400.', 'embedding'),
  must(
    'PLUGIN-EMB-06',
    'A memory without an embedding may be written, and is found when none is asked for.',
    'embedding',
  ),
  { id: 'PLUGIN-EMB-07', level: 'must', sentence: 'Without embedding a vector is ignored or 400.', lacks: 'embedding' },

  must('PLUGIN-PIN-01', 'A pin comes back as pin: true, and no pin as false or not at all.', 'pin'),
  must('PLUGIN-PIN-02', 'Without a query and an embedding pinned memories come first.', 'pin'),
  must('PLUGIN-PIN-03', 'Among the matches of a query pinned memories come first.', 'pin', 'fts'),
  must(
    'PLUGIN-PIN-04',
    'A pinned match is never cut off by the limit in favour of one that is not pinned.',
    'pin',
    'fts',
  ),
  must('PLUGIN-PIN-05', 'A pinned memory that does not match does not come back.', 'pin', 'fts'),
  must('PLUGIN-PIN-06', 'Among what an embedding finds pinned memories come first.', 'pin', 'embedding'),
  must('PLUGIN-PIN-07', 'A pin that is neither true nor false is 400.', 'pin'),
  {
    id: 'PLUGIN-PIN-08',
    level: 'must',
    sentence: 'Without pin a pin is ignored or 400; what comes back pinned comes first.',
    lacks: 'pin',
  },

  must('PLUGIN-TTL-01', 'A memory and a namespace come back with the moment of their expires_at.', 'ttl'),
  must('PLUGIN-TTL-02', 'A memory that has expired never comes back, in any kind of search.', 'ttl'),
  must('PLUGIN-TTL-03', 'A memory that is written with a moment in the past never comes back.', 'ttl'),
  must('PLUGIN-TTL-04', 'Memories of a namespace that has expired never come back.', 'ttl'),
  must('PLUGIN-TTL-05', 'A memory that is replaced without expires_at stays.', 'ttl'),
  must('PLUGIN-TTL-06', 'An expired memory takes no place from a living one under the limit.', 'ttl'),
  must('PLUGIN-TTL-07', 'PATCH can shorten the life of a namespace.', 'ttl'),
  must('PLUGIN-TTL-08', 'A moment may have an offset from UTC.', 'ttl'),
  must('PLUGIN-TTL-09', 'An expires_at that is no moment is 400, in PUT, PATCH and POST.', 'ttl'),
  {
    id: 'PLUGIN-TTL-10',
    level: 'must',
    sentence: 'Without ttl expires_at is taken or 400, and does no harm.',
    lacks: 'ttl',
  },

  must('PLUGIN-PROP-01', 'Propagation comes back as it was: deep, in any script, with any names.', 'propagation'),
  must('PLUGIN-PROP-02', 'Propagation is replaced whole, not merged.', 'propagation'),
  must('PLUGIN-PROP-03', 'Propagation that is no object is 400.', 'propagation'),
  {
    id: 'PLUGIN-PROP-04',
    level: 'must',
    sentence: 'Without propagation it is ignored or 400; what comes back is whole.',
    lacks: 'propagation',
  },

  must('PLUGIN-FORGET-01', 'DELETE of a memory answers 204, and no search finds it again.'),
  must('PLUGIN-FORGET-02', 'DELETE of a memory that is not there is 404.'),
  must('PLUGIN-FORGET-03', 'DELETE asked for by another namespace is 403, and the memory stays.'),
  must('PLUGIN-FORGET-04', 'Without requested_by_namespace DELETE is 400, and the memory stays.'),
  must('PLUGIN-FORGET-05', 'DELETE of an id that is no UUID is 400 or 404.'),
  must('PLUGIN-FORGET-06', 'The id of a forgotten memory may be used again, in any namespace.'),
  must('PLUGIN-FORGET-07', 'Only the memory that is named goes.'),

  must('PLUGIN-ERR-01', 'An error is JSON: code and message, and details if there are any.'),
  must(
    'PLUGIN-ERR-02',
    'The code follows the status: 404 not_found, 403 forbidden, 503 unavailable, other 4xx bad_request, other 5xx internal.',
  ),
  must('PLUGIN-ERR-03', 'A path that is not part of the contract is 404.'),
  must('PLUGIN-ERR-04', 'A method that a path does not have is 405.'),
  must('PLUGIN-ERR-05', 'A body over 1 MiB is 413.'),
  must('PLUGIN-ERR-06', 'A body below 1 MiB is not 413.'),
  must('PLUGIN-ERR-07', 'A body that is not JSON, or no JSON object, is 400.'),
  must('PLUGIN-ERR-08', 'Fields that the contract does not have are ignored.'),
  should('PLUGIN-ERR-09', 'Errors tell nothing of the inside: no stack, no SQL, no path.'),

  must('PLUGIN-TOKEN-01', 'Where a token is in use, calls without it are 401 or 403, and change nothing.', 'token'),

  must('PLUGIN-PAR-01', 'A hundred writes at once all succeed, with a hundred different ids, and all are found.'),
  must('PLUGIN-PAR-02', 'Writes of the same id at once make one memory.'),
  must('PLUGIN-PAR-03', 'An id that two namespaces claim at once goes to one of them.'),
  must('PLUGIN-PAR-04', 'PUTs of the same namespace at once make one namespace.'),
  must('PLUGIN-PAR-05', 'Of deletes of the same memory at once one is 204.'),
  must('PLUGIN-PAR-06', 'Writes during the DELETE of their namespace leave nothing behind.'),

  must('PLUGIN-HOSTILE-01', 'Paths that try to climb, to end early or to break the encoding are 400 or 404.'),
  must('PLUGIN-HOSTILE-02', 'Values of a wrong type are 400, wherever they stand.'),
  must('PLUGIN-HOSTILE-03', 'NUL in a text is refused with 400 or kept; a text is never cut off at it.'),
  must('PLUGIN-HOSTILE-04', 'Half of a surrogate pair is refused with 400 or stored so that answers stay JSON.'),
  must('PLUGIN-HOSTILE-05', 'JSON of absurd depth is answered, and the plugin goes on.'),
  must('PLUGIN-HOSTILE-06', 'Numbers too large to be kept are answered without a failure.'),
  must('PLUGIN-HOSTILE-07', 'Names such as __proto__ and constructor set nothing.'),
  must('PLUGIN-HOSTILE-08', 'Code in a text (SQL, shell, templates, markup) is text.'),
  must('PLUGIN-HOSTILE-09', 'Queries made to be slow, or very long, are answered in time.'),
  must('PLUGIN-HOSTILE-10', 'A search of two hundred namespaces is answered.'),
  must('PLUGIN-HOSTILE-11', 'Text in every script, with joiners and direction marks, comes back as it was.'),
] as const satisfies readonly Requirement[];

export type PluginRequirementId = (typeof pluginRequirements)[number]['id'];

function must<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'must', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}

function should<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'should', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}
