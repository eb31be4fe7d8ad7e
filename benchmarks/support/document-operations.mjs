import { assembleContext } from '../../packages/server/dist/engine/context/assemble-context.js';
import { getDocument } from '../../packages/server/dist/engine/documents/get-document.js';
import { patchDocument } from '../../packages/server/dist/engine/documents/patch-document.js';
import { numberMark } from './number-mark.mjs';

/**
 * @typedef {import('../../packages/server/dist/engine/engine.js').Engine} Engine
 * @typedef {import('../../packages/server/dist/engine/caller.js').Caller} Caller
 *
 * @typedef {object} DocumentOperation A measured operation. To measure another one, add an entry to `operations`.
 * @property {(user: string, token: string) => string[]} toRequests the HTTP requests for one user's own document
 * @property {(engine: Engine, caller: Caller, number: number) => Promise<unknown>} perform runs the same on the engine, to record its SQL
 */

export const tenant = 'benchmark';
const place = { namespace: 'user', path: 'user_dynamic.json' };
export const profile = { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update' };

/** A user's document after some weeks: about 5,000 characters. */
const content = {
  preferences: Array.from({ length: 12 }, (_, index) => `Preference ${index}: short answers, tables where they help.`),
  durable_facts: Array.from({ length: 20 }, (_, index) => ({
    text: `Fact ${index}: works on the retrieval service and is on call every third week.`,
    confidence: 0.92,
    evidence: { conversation_id: `c-${index}`, message_ids: ['m1', 'm2'] },
    last_verified_at: '2026-02-14T20:00:00.000Z',
  })),
};

/** The operations that fill a user's document. */
export const fillOps = Object.entries(content).map(([name, value]) => ({
  op: /** @type {const} */ ('add'),
  path: `/content/${name}`,
  value,
}));

/** @param {string} text */
export function replaceOps(text) {
  return [{ op: /** @type {const} */ ('replace'), path: '/content/preferences/3', value: `Preference ${text}` }];
}

/**
 * @param {object} call
 * @param {string} call.method
 * @param {string} call.path
 * @param {string} call.token
 * @param {Record<string, string>} [call.headers]
 * @param {unknown} [call.body]
 */
export function toHttp({ method, path, token, headers = {}, body }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sized =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  const lines = Object.entries({ Host: tenant, Authorization: `Bearer ${token}`, ...headers, ...sized });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}

/**
 * @param {string} user
 * @param {{ namespace: string, path: string }} at
 * @param {string} of the tenant
 */
export function pathOf(user, at = place, of = tenant) {
  return `/v1/tenants/${of}/users/${user}/documents/${at.namespace}/${at.path}`;
}

/**
 * @param {Engine} engine
 * @param {Caller} caller
 * @param {number} number
 * @param {import('@memhall/core').PatchOperation[]} ops
 */
export function patch(engine, caller, number, ops) {
  return patchDocument(engine, caller, {
    ...place,
    profileId: profile.profile_id,
    bindingId: profile.binding_id,
    reason: profile.reason,
    evidence: null,
    confidence: null,
    precondition: { kind: 'none' },
    idempotency: { key: `benchmark-${number}`, payloadHash: 'payload' },
    ops,
  });
}

const hint = 'Which of my services did I say is on call this week, and what was the plan for it?';

/** @type {Record<string, DocumentOperation>} */
export const operations = {
  get: {
    toRequests: (user, token) => [toHttp({ method: 'GET', path: pathOf(user), token })],
    perform: (engine, caller) => getDocument(engine, caller, place),
  },
  patch: {
    toRequests: (user, token) => [
      toHttp({
        method: 'PATCH',
        path: pathOf(user),
        token,
        headers: { 'If-Match': '*', 'Idempotency-Key': numberMark },
        body: { ...profile, ops: replaceOps(numberMark) },
      }),
    ],
    perform: (engine, caller, number) => patch(engine, caller, number, replaceOps(String(number))),
  },
  assemble: {
    toRequests: (user, token) => [
      toHttp({
        method: 'POST',
        path: `/v1/tenants/${tenant}/users/${user}/context:assemble`,
        token,
        body: { profile_id: profile.profile_id, conversation_hint: { text: hint } },
      }),
    ],
    perform: (engine, caller) =>
      assembleContext(engine, caller, {
        profileId: profile.profile_id,
        hint,
        projectId: undefined,
        maxDocuments: 4,
        maxCharacters: 30_000,
      }),
  },
};
