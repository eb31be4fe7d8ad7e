import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import {
  deleteQuarantined,
  listQuarantined,
  releaseQuarantined,
  showQuarantined,
} from '../../engine/tiers/quarantine-decisions.js';
import { defineRoute } from '../../http/route.js';
import { Id, nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import { toQuarantineEntry } from './to-quarantine-entry.js';

const tenantParams = Type.Object({ tenant_id: Id });
const entryParams = Type.Object({ tenant_id: Id, quarantine_id: Id });
const listQuery = Type.Object({ ...pageQuery, workspace_id: Type.Optional(Id) }, { additionalProperties: false });

const entry = {
  quarantine_id: Type.String(),
  workspace_id: Type.String(),
  owner: Type.String({ description: 'agent:…, crew:… or workspace' }),
  label: Type.String({ description: 'Such as AGENT.md or daily/2026-05-21.md' }),
  category: Type.String(),
  rule: Type.String(),
  sha256: Type.String({ description: 'SHA-256 of the text' }),
  status: Type.Enum(['held', 'released']),
  origin: Type.Object(
    { updated_by: Type.String(), version: Type.Integer(), etag: Type.String() },
    { description: 'Version of the document in which the text was found, and its author' },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const Entry = Type.Object(entry);
const EntryWithText = Type.Object({
  ...entry,
  text: Type.String(),
  offset: Type.Optional(
    Type.Integer({
      description: 'Where in the text the finding begins, in UTF-16 code units. Absent: it is spread over the text',
    }),
  ),
});
const EntryList = Type.Object({ entries: Type.Array(Entry), next_cursor: nextCursor });

const all = '/v1/tenants/{tenant_id}/quarantine';
const one = `${all}/{quarantine_id}`;

export const quarantineRoutes = [
  defineRoute({
    operation: 'quarantine.list',
    method: 'GET',
    path: all,
    summary: 'List quarantined texts, oldest first, without the texts themselves.',
    access: 'operator-or-admin',
    tenantWide: true,
    request: { params: tenantParams, query: listQuery },
    responses: { 200: { description: 'One page of entries', schema: EntryList } },
    async handle(engine: Engine, { caller, query }) {
      const page = { workspaceId: query.workspace_id, limit: query.limit, cursor: query.cursor };
      const { items, nextCursor: next } = await listQuarantined(engine, caller.tenantId, page);
      return { body: { entries: items.map(toQuarantineEntry), ...toNextCursor(next) } };
    },
  }),
  defineRoute({
    operation: 'quarantine.get',
    method: 'GET',
    path: one,
    summary: 'Read a quarantined text. The access is recorded in the audit log.',
    access: 'admin',
    tenantWide: true,
    request: { params: entryParams },
    responses: { 200: { description: 'The entry with its text', schema: EntryWithText } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const found = await showQuarantined(engine, caller, params.quarantine_id);
      const { text, offset } = found;
      return { body: { ...toQuarantineEntry(found), text, ...(offset !== undefined && { offset }) } };
    },
  }),
  defineRoute({
    operation: 'quarantine.release',
    method: 'POST',
    path: `${one}/release`,
    summary: 'Put a quarantined text back into its tier, and allow it from now on.',
    access: 'admin',
    tenantWide: true,
    request: { params: entryParams },
    responses: { 200: { description: 'Released', schema: Entry } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle(engine: Engine, { caller, params }) {
      return { body: toQuarantineEntry(await releaseQuarantined(engine, caller, params.quarantine_id)) };
    },
  }),
  defineRoute({
    operation: 'quarantine.delete',
    method: 'DELETE',
    path: one,
    summary: 'Delete a quarantined text permanently.',
    access: 'admin',
    tenantWide: true,
    request: { params: entryParams },
    responses: { 204: { description: 'Deleted' } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle(engine: Engine, { caller, params }) {
      await deleteQuarantined(engine, caller, params.quarantine_id);
      return {};
    },
  }),
];
