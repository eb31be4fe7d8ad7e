import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { getAttribute, putAttribute } from '../../engine/facts/attributes.js';
import { confirmFact, rejectFact, retractFact, undoFact } from '../../engine/facts/change-fact.js';
import { correctFact } from '../../engine/facts/correct-fact.js';
import { putFact } from '../../engine/facts/put-fact.js';
import { getFact, listFacts } from '../../engine/facts/read-facts.js';
import { toMember } from '../../engine/one-memory/member.js';
import { readingOf } from '../../engine/one-memory/reading.js';
import { toTimes } from '../../http/currency.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute, type RouteRequest } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type { Fact as StoredFact } from '../../ports/facts.js';
import {
  Attribute,
  attributeBody,
  attributeParams,
  CorrectedFact,
  FactPage,
  FactWithEvidence,
  factBody,
  factChangeBody,
  factCorrectionBody,
  factListQuery,
  factParams,
  factQuery,
  OneFact,
} from './fact-schemas.js';
import { toAttribute, toFact, toFactWithEvidence, toPresentFact } from './to-fact.js';

export const factRoutes = [
  defineRoute({
    operation: 'facts.list',
    method: 'GET',
    path: '/v1/facts',
    summary: 'List what is true, last recorded first.',
    description:
      'Lists facts that are current or unconfirmed at `as_of`, and with `include_superseded` those that were over by then. Retracted facts are listed only with a `known_at` before their retraction.',
    access: 'user',
    request: { query: factListQuery },
    responses: { 200: { description: 'One page of facts', schema: FactPage } },
    async handle(engine: Engine, { caller, query }) {
      const { subject, attribute, include_superseded: includeSuperseded, unconfirmed, evidence, limit, cursor } = query;
      const found = await listFacts(engine, caller, {
        ...{ subject, attribute, includeSuperseded, unconfirmed, evidence, limit, cursor },
        ...toTimes(query),
      });
      return { body: { facts: found.items.map(toFact), ...toNextCursor(found.nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'facts.get',
    method: 'GET',
    path: '/v1/facts/{fact_id}',
    summary: 'Read one fact: its evidence, what it replaces, and its history.',
    access: 'user',
    request: { params: factParams, query: factQuery },
    responses: { 200: { description: 'The fact', schema: FactWithEvidence } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, request) {
      const found = await getFact(engine, readerOf(request), request.params.fact_id, toTimes(request.query));
      return { body: toFactWithEvidence(found) };
    },
  }),
  defineRoute({
    operation: 'facts.put',
    method: 'PUT',
    path: '/v1/facts',
    summary: 'State a fact.',
    description:
      'It is weighed against what is known. A less trusted statement never ends a more trusted one: it is stored as unconfirmed. A fact that says the same is not stored twice. A `valid_from` before that of the current value makes it history, which ends where the next value begins.',
    access: 'user',
    request: { body: factBody },
    responses: {
      201: { description: 'A new fact', schema: OneFact },
      200: { description: 'The fact that says the same', schema: OneFact },
    },
    problems: ['NOT_FOUND', 'ATTRIBUTE_HOLDS_MANY'],
    async handle(engine: Engine, request) {
      const { subject, attribute, value, confidence, evidence, trust, mode, ...rest } = request.body;
      const put = await putFact(engine, readerOf(request), {
        ...{ subject, attribute, value, confidence, evidence, trust, mode },
        validFrom: toMoment('valid_from', rest.valid_from),
        validTo: toMoment('valid_to', rest.valid_to),
      });
      return { status: put.isNew ? 201 : 200, body: { fact: toPresentFact(put.fact, engine.clock.now()) } };
    },
  }),
  changeRoute('retract', 'Retract a fact: it was never true. What it had superseded is current again.', retractFact),
  changeRoute('confirm', 'Confirm a fact, so that it counts as the caller’s own statement.', confirmFact),
  changeRoute('reject', 'Reject a fact that is unconfirmed.', rejectFact),
  changeRoute('undo', 'Take back the last change of a fact, and what followed from it for other facts.', undoFact),
  defineRoute({
    operation: 'facts.correct',
    method: 'POST',
    path: '/v1/facts/{fact_id}:correct',
    summary: 'Correct a fact: it was never true, another value is, since the same time.',
    description:
      'Retracts the fact and states the other value in one transaction. To take it back, undo the new fact and then the retracted one. If the value changed, state the new one with `facts.put` instead: the old one becomes history.',
    access: 'user',
    request: { params: factParams, body: factCorrectionBody },
    responses: { 200: { description: 'Both facts after the change', schema: CorrectedFact } },
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    async handle(engine: Engine, { caller, params, body }) {
      const { value, reason: note } = body;
      const { fact, retracted } = await correctFact(engine, caller, params.fact_id, { value, note });
      const now = engine.clock.now();
      return { body: { fact: toPresentFact(fact, now), retracted: toPresentFact(retracted, now) } };
    },
  }),
  defineRoute({
    operation: 'attributes.get',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/attributes/{name}',
    summary: 'Read an attribute of facts: one of the tenant, else a built-in one.',
    access: 'admin',
    tenantWide: true,
    request: { params: attributeParams },
    responses: { 200: { description: 'The attribute', schema: Attribute } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      return { body: toAttribute(await getAttribute(engine, caller, params.name)) };
    },
  }),
  defineRoute({
    operation: 'attributes.put',
    method: 'PUT',
    path: '/v1/tenants/{tenant_id}/attributes/{name}',
    summary: 'Define an attribute of facts, or redefine a built-in one.',
    description: 'Facts that are written from then on follow it. Attributes that are not defined hold many values.',
    access: 'admin',
    tenantWide: true,
    request: { params: attributeParams, body: attributeBody },
    responses: { 200: { description: 'The attribute', schema: Attribute } },
    async handle(engine: Engine, { caller, params, body }) {
      const { single, ends_alone: endsAlone, synonyms, patterns } = body;
      const given = { name: params.name, single, endsAlone, synonyms, patterns };
      return { body: toAttribute(await putAttribute(engine, caller, given)) };
    },
  }),
];

type Change = (engine: Engine, caller: Caller, id: string, note?: string) => Promise<StoredFact>;

function changeRoute(verb: string, summary: string, change: Change) {
  return defineRoute({
    operation: `facts.${verb}`,
    method: 'POST',
    path: `/v1/facts/{fact_id}:${verb}`,
    summary,
    access: 'user',
    request: { params: factParams, body: factChangeBody },
    responses: { 200: { description: 'The fact after the change', schema: OneFact } },
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    async handle(engine: Engine, { caller, params, body }) {
      const fact = await change(engine, caller, params.fact_id, body.reason);
      return { body: { fact: toPresentFact(fact, engine.clock.now()) } };
    },
  });
}

/** Returns the caller with everything it may read: any of that can be evidence. */
export function readerOf({ caller, identity }: Pick<RouteRequest, 'caller' | 'identity'>): Caller {
  if (identity === undefined) throw new Error('a guarded route without an identity');
  return readingOf(toMember(caller, identity.claims)).reader;
}
