import { memoryText, questionText } from '../speed/sentences.mjs';
import { fillOps, pathOf, profile, replaceOps, toHttp } from '../support/document-operations.mjs';

/**
 * @typedef {import('./population.mjs').Member} Member
 *
 * @typedef {object} Operation
 * @property {number} share of all requests, in percent
 * @property {(member: Member, number: number) => string} toRequest `number` is different for every request
 */

const document = { namespace: 'user', path: 'user_dynamic.json' };
const state = { step: 3, summary: 'Compared the three suppliers; the second one is four days late.', confidence: 0.82 };

/** @param {Member} member */
function workingPath({ user }) {
  return `/v1/memory/working/plan-${user}/state`;
}

/**
 * What is sent, and how often. What a recall asks and what an add says is new each time.
 * @type {Record<string, Operation>}
 */
export const mix = {
  recall: {
    share: 70,
    toRequest: ({ token }, number) =>
      toHttp({ method: 'POST', path: '/v1/recall', token, body: { query: questionText(number), limit: 10 } }),
  },
  add: {
    share: 15,
    toRequest: ({ token }, number) =>
      toHttp({ method: 'POST', path: '/v1/remember', token, body: { content: memoryText(0x4000_0000 + number) } }),
  },
  patch: {
    share: 5,
    toRequest: (member, number) => toPatch(member, number, replaceOps(`${number}: tables where they help.`)),
  },
  context: {
    share: 5,
    toRequest: ({ tenant, user, token }, number) =>
      toHttp({
        method: 'POST',
        path: `/v1/tenants/${tenant}/users/${user}/context:assemble`,
        token,
        body: { profile_id: profile.profile_id, conversation_hint: { text: questionText(number) } },
      }),
  },
  'put state': {
    share: 2,
    toRequest: (member, number) =>
      toHttp({
        method: 'PUT',
        path: workingPath(member),
        token: member.token,
        body: { value: { ...state, number } },
      }),
  },
  'get state': {
    share: 2,
    toRequest: (member) => toHttp({ method: 'GET', path: workingPath(member), token: member.token }),
  },
  list: {
    share: 1,
    toRequest: ({ token }) => toHttp({ method: 'GET', path: '/v1/memories?limit=20', token }),
  },
};

/**
 * The requests that give a user what the others change and read.
 * @param {Member} member
 * @param {number} number
 */
export function fillRequests(member, number) {
  return [toPatch(member, number, fillOps), mix['put state']?.toRequest(member, number) ?? ''];
}

/**
 * @param {Member} member
 * @param {number} number
 * @param {readonly object[]} ops
 */
function toPatch({ tenant, user, token }, number, ops) {
  return toHttp({
    method: 'PATCH',
    path: pathOf(user, document, tenant),
    token,
    headers: { 'If-Match': '*', 'Idempotency-Key': `load-${number}` },
    body: { ...profile, ops },
  });
}

const names = Object.keys(mix);
const total = Object.values(mix).reduce((sum, { share }) => sum + share, 0);

/** @param {number} random 0 … 1 */
export function pickOperation(random) {
  let left = random * total;
  for (const name of names) {
    left -= mix[name]?.share ?? 0;
    if (left < 0) return name;
  }
  return names.at(-1) ?? '';
}
