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
  label: Type.String({ description: 'AGENT.md, daily/2026-05-21.md' }),
  category: Type.String(),
  rule: Type.String(),
  sha256: Type.String({ description: 'Of the text' }),
  status: Type.Enum(['held', 'released']),
  origin: Type.Object(
    { updated_by: Type.String(), version: Type.Integer(), etag: Type.String() },
    { description: 'The state of the document that it was found in, and who wrote it' },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const Entry = Type.Object(entry);
const EntryWithText = Type.Object({ ...entry, text: Type.String() });
const EntryList = Type.Object({ entries: Type.Array(Entry), next_cursor: nextCursor });

const all = '/v1/tenants/{tenant_id}/quarantine';
const one = `${all}/{quarantine_id}`;

export const quarantineRoutes = [
  defineRoute({
    operation: 'quarantine.list',
    method: 'GET',
    path: all,
    summary: 'List what was taken out of tiers, oldest first, without the texts',
    access: 'operator-or-admin',
    tenantWide: true,
    request: { params: tenantParams, query: listQuery },
    responses: { 200: { description: 'Labels, categories, hashes', schema: EntryList } },
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
    summary: 'Read a text in quarantine; that it was read is on record',
    access: 'admin',
    tenantWide: true,
    request: { params: entryParams },
    responses: { 200: { description: 'The entry with its text', schema: EntryWithText } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const found = await showQuarantined(engine, caller, params.quarantine_id);
      return { body: { ...toQuarantineEntry(found), text: found.text } };
    },
  }),
  defineRoute({
    operation: 'quarantine.release',
    method: 'POST',
    path: `${one}/release`,
    summary: 'Put a text back into its tier, and let it pass from now on',
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
    summary: 'Delete a text in quarantine for good',
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
