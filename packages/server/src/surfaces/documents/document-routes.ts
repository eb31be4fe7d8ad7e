import { checkPatch, type Json } from '@memhall/core';
import { documentHistory } from '../../engine/documents/document-history.js';
import { toDocumentPath } from '../../engine/documents/document-path.js';
import { getDocument } from '../../engine/documents/get-document.js';
import { listDocuments } from '../../engine/documents/list-documents.js';
import { patchDocument } from '../../engine/documents/patch-document.js';
import { replaceDocument } from '../../engine/documents/replace-document.js';
import type { Engine } from '../../engine/engine.js';
import { earlierOf, toTimes } from '../../http/currency.js';
import { toMoment } from '../../http/moment.js';
import { matchesAny } from '../../http/preconditions.js';
import { defineRoute } from '../../http/route.js';
import {
  DocumentAnswer,
  DocumentHistory,
  DocumentList,
  documentListQuery,
  documentParams,
  documentQuery,
  historyQuery,
  patchBody,
  replaceBody,
  userOnlyParams,
  WriteAnswer,
} from './document-schemas.js';
import { ownerOf } from './owner-of.js';
import { readHeaders, withService, writeHeaders } from './shared-schemas.js';
import { quoted, toDocumentAnswer, toDocumentHistory, toDocumentList, toStale, toWriteReply } from './to-document.js';
import { checkReason, toDocumentWrite } from './to-document-write.js';

const prefix = '/v1/tenants/{tenant_id}/users/{user_id}';
const etagHeader = { etag: 'Strong ETag. Changes exactly when the document changes.' };
const writeProblems = [
  'INVALID_PATH',
  'MISSING_IF_MATCH',
  'MISSING_IDEMPOTENCY_KEY',
  'WRITE_NOT_ALLOWED',
  'PROFILE_NOT_FOUND',
  'BINDING_NOT_FOUND',
  'IDEMPOTENCY_CONFLICT',
  'ETAG_MISMATCH',
  'BINDING_NAMESPACE_MISMATCH',
  'BINDING_PATH_MISMATCH',
  'SCHEMA_NOT_FOUND',
  'SCHEMA_VALIDATION_FAILED',
  'DOCUMENT_SIZE_EXCEEDED',
  'ARRAY_LIMIT_EXCEEDED',
] as const;

export const documentRoutes = [
  defineRoute({
    operation: 'documents.list',
    method: 'GET',
    path: `${prefix}/documents`,
    summary: 'List the documents of a user with their paths, ETags and sizes.',
    access: 'user',
    request: { params: userOnlyParams, query: documentListQuery },
    responses: { 200: { description: 'Ordered by namespace and path', schema: DocumentList } },
    async handle(engine: Engine, { query, ...request }) {
      return { body: toDocumentList(await listDocuments(engine, ownerOf(request, query), query)) };
    },
  }),
  defineRoute({
    operation: 'documents.get',
    method: 'GET',
    path: `${prefix}/documents/{namespace}/{path}`,
    summary: 'Read a document, in its current or an earlier version.',
    access: 'user',
    request: { params: documentParams, query: documentQuery, headers: readHeaders },
    responses: {
      200: { description: 'The document', schema: DocumentAnswer, headers: etagHeader },
      304: { description: 'Not modified: the ETag matches If-None-Match', headers: etagHeader },
    },
    problems: ['INVALID_PATH', 'DOCUMENT_NOT_FOUND', 'PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { params, query, headers, ...request }) {
      const path = toDocumentPath(params.path);
      const { asOf, knownAt } = toTimes(query);
      const at = earlierOf(toMoment('at', query.at), asOf, knownAt);
      const place = { namespace: params.namespace, path };
      const document = await getDocument(engine, ownerOf(request, params), {
        ...place,
        at,
        profileId: query.profile_id,
      });
      const { migratedFrom, staleFacts } = document;
      const etag = { etag: quoted(document.etag) };
      // Facts become stale without a change of the document, so its ETag does not tell.
      const isKnown = staleFacts.length === 0 && matchesAny(headers['if-none-match'], document.etag);
      if (isKnown) return { status: 304, headers: etag };
      const migrated = migratedFrom === null ? {} : { migrated_from: migratedFrom };
      return { headers: etag, body: { ...toDocumentAnswer(document), ...migrated, ...toStale(staleFacts) } };
    },
  }),
  defineRoute({
    operation: 'documents.patch',
    method: 'PATCH',
    path: `${prefix}/documents/{namespace}/{path}`,
    summary: 'Apply a JSON Patch to a document, all operations or none.',
    access: 'user',
    request: { params: documentParams, headers: writeHeaders, body: patchBody },
    responses: { 200: { description: 'The document after the change', schema: WriteAnswer, headers: etagHeader } },
    problems: [
      ...writeProblems,
      'INVALID_PATCH',
      'PATCH_TOO_LARGE',
      'PATH_NOT_WRITABLE',
      'PATCH_APPLY_FAILED',
      'EVIDENCE_REQUIRED',
      'CONFIDENCE_TOO_LOW',
    ],
    faultCodes: { ops: 'INVALID_PATCH' },
    async handle(engine: Engine, { params, headers, body, ...request }) {
      const caller = ownerOf(request, params);
      checkReason(caller, body.reason);
      const write = toDocumentWrite('PATCH', params, headers, body);
      const ops = checkPatch(body.ops);
      return toWriteReply(await patchDocument(engine, withService(caller, headers), { ...write, ops }));
    },
  }),
  defineRoute({
    operation: 'documents.replace',
    method: 'PUT',
    path: `${prefix}/documents/{namespace}/{path}`,
    summary: 'Replace the content of a document, for migrations or if the binding allows it.',
    access: 'user',
    request: { params: documentParams, headers: writeHeaders, body: replaceBody },
    responses: { 200: { description: 'The document after the change', schema: WriteAnswer, headers: etagHeader } },
    problems: [...writeProblems, 'REPLACE_NOT_ALLOWED'],
    async handle(engine: Engine, { params, headers, body, ...request }) {
      const caller = ownerOf(request, params);
      checkReason(caller, body.reason);
      const { content, schema_id: schemaId, schema_version: schemaVersion } = body.document;
      const replacement = { content: content as { [key: string]: Json }, schemaId, schemaVersion };
      const write = toDocumentWrite('PUT', params, headers, body);
      return toWriteReply(await replaceDocument(engine, withService(caller, headers), { ...write, ...replacement }));
    },
  }),
  defineRoute({
    operation: 'documents.history',
    method: 'GET',
    path: `${prefix}/documents/{namespace}/{path}/history`,
    summary: 'List the versions of a document: who changed what, when and why.',
    access: 'user',
    request: { params: documentParams, query: historyQuery },
    responses: { 200: { description: 'One page of versions, newest first', schema: DocumentHistory } },
    problems: ['INVALID_PATH', 'DOCUMENT_NOT_FOUND'],
    async handle(engine: Engine, { params, query, ...request }) {
      const place = { namespace: params.namespace, path: toDocumentPath(params.path) };
      return {
        body: toDocumentHistory(await documentHistory(engine, ownerOf(request, params), { ...place, ...query })),
      };
    },
  }),
];
