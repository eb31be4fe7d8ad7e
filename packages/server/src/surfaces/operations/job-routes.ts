import { Type } from 'typebox';
import { mostRetried } from '../../engine/operations/retry-jobs.js';
import { decodeCursor, toPage } from '../../engine/page.js';
import { defineRoute } from '../../http/route.js';
import { eitherBy, nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import { type JobRecord, jobStates } from '../../ports/job-ledger.js';
import type { Operations } from './operations.js';
import { toOperator } from './to-operator.js';

const closed = { additionalProperties: false };
const path = '/v1/operations/jobs';
const JobId = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' });
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);

const BackgroundJob = Type.Object(
  {
    id: JobId,
    name: Type.String({ description: 'As in `jobs` of /health' }),
    state: Type.Enum([...jobStates], {
      description: '`retrying`: failed, and waiting for another attempt. `failed`: a dead letter, which needs a retry',
    }),
    tenant_id: nullable(Type.String()),
    user_id: nullable(Type.String()),
    attempts: Type.Integer({ description: 'Attempts started so far' }),
    max_attempts: Type.Integer(),
    created_at: Timestamp,
    start_after: Timestamp,
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    problem: nullable(
      Type.String({ description: 'The kind of the error that the last attempt ended with. The log has all of it.' }),
    ),
  },
  { title: 'BackgroundJob' },
);

const listQuery = Type.Object(
  {
    ...pageQuery,
    state: Type.Optional(Type.Enum([...jobStates])),
    name: Type.Optional(Type.String({ maxLength: 64, description: 'List only jobs with this name' })),
  },
  closed,
);

const retryBody = eitherBy(
  'ids',
  Type.Object({ ids: Type.Array(JobId, { minItems: 1, maxItems: 100, uniqueItems: true }) }, closed),
  Type.Object({ all_failed: Type.Literal(true, { description: `Up to ${mostRetried} of them` }) }, closed),
);

export const jobRoutes = [
  defineRoute({
    operation: 'jobs.list',
    method: 'GET',
    path,
    summary: 'List background jobs of all tenants, newest first.',
    description: 'Jobs that are done are listed for a day, dead letters for thirty days.',
    access: 'operator',
    request: { query: listQuery },
    responses: {
      200: {
        description: 'Jobs, newest first',
        schema: Type.Object(
          { jobs: Type.Array(BackgroundJob), next_cursor: nextCursor },
          { title: 'BackgroundJobList' },
        ),
      },
    },
    async handle(operations: Operations, { query: { limit, cursor, state, name } }) {
      const after = cursor === undefined ? undefined : toPosition(cursor);
      const rows = await operations.listJobs({ limit: limit + 1, state, job: name, after });
      const page = toPage(rows, limit, ({ position }) => position);
      return { body: { jobs: page.items.map(toBackgroundJob), ...toNextCursor(page.nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'jobs.retry',
    method: 'POST',
    path: `${path}:retry`,
    summary: 'Give dead letters all their attempts again, starting now.',
    description: "Send ids, or all_failed. The audit log of each job's tenant records it.",
    access: 'operator',
    request: { body: retryBody },
    responses: {
      200: {
        description: 'How many jobs run again',
        schema: Type.Object({ retried: Type.Integer() }, { title: 'RetriedJobs' }),
      },
    },
    problems: ['NOT_FOUND'],
    async handle(operations: Operations, { body, identity, requestId, since }) {
      const operator = toOperator('jobs.retry', { identity, requestId, since });
      return { body: { retried: await operations.retryJobs(operator, 'ids' in body ? body.ids : 'all') } };
    },
  }),
];

/** What the ledger put into a cursor: anything else would be a fault of the database. */
const positionPart = /^(?:\d{4,6}-\d\d-\d\d [\d:.]+[+-][\d:]+|[0-9a-f-]{36})$/;

function toPosition(cursor: string): [string, string] {
  const [createdAt = '', id = ''] = decodeCursor(cursor, 2, positionPart);
  return [createdAt, id];
}

function toBackgroundJob(record: JobRecord) {
  return {
    id: record.id,
    name: record.job,
    state: record.state,
    tenant_id: record.payload.tenantId ?? null,
    user_id: record.payload.userId ?? null,
    attempts: record.attempts,
    max_attempts: record.maxAttempts,
    created_at: record.createdAt.toISOString(),
    start_after: record.startAfter.toISOString(),
    started_at: record.startedAt?.toISOString() ?? null,
    finished_at: record.finishedAt?.toISOString() ?? null,
    problem: toProblemText(record),
  };
}

/** Attempts that failed leave the kind of the error, never its message, which may quote a user. */
function toProblemText({ state, output }: JobRecord): string | null {
  if (state === 'done' || output === null || typeof output !== 'object' || Array.isArray(output)) return null;
  const { type, code } = output;
  if (typeof type !== 'string') return null;
  return typeof code === 'string' ? `${type} ${code}` : type;
}
