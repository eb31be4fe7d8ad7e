import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { mergeSubjects, splitSubject } from '../../engine/facts/merge-subjects.js';
import { getSubject, listSubjects } from '../../engine/facts/read-subjects.js';
import { toTimes } from '../../http/currency.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { readerOf } from './fact-routes.js';
import {
  mergeBody,
  SubjectList,
  SubjectPage,
  splitBody,
  subjectListQuery,
  subjectParams,
  subjectQuery,
} from './subject-schemas.js';
import { toSubject, toSubjectSummary } from './to-subject.js';

export const subjectRoutes = [
  defineRoute({
    operation: 'subjects.list',
    method: 'GET',
    path: '/v1/subjects',
    summary: 'List the people, places, projects and things that facts are about, by name.',
    access: 'user',
    request: { query: subjectListQuery },
    responses: { 200: { description: 'One page of subjects', schema: SubjectList } },
    async handle(engine: Engine, { caller, query }) {
      const { limit, cursor } = query;
      const found = await listSubjects(engine, caller, { limit, cursor, ...toTimes(query) });
      return { body: { subjects: found.items.map(toSubjectSummary), ...toNextCursor(found.nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'subjects.get',
    method: 'GET',
    path: '/v1/subjects/{subject}',
    summary: 'Read the page of a subject, by any of its names: what is true of it, what happened, and who says so.',
    description: 'The page follows from the facts whenever it is read, so it is never out of date.',
    access: 'user',
    request: { params: subjectParams, query: subjectQuery },
    responses: { 200: { description: 'The page', schema: SubjectPage } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, request) {
      const page = await getSubject(engine, readerOf(request), request.params.subject, toTimes(request.query));
      return { body: toSubject(page) };
    },
  }),
  changeRoute(
    'merge',
    'Merge two subjects: both names mean the same from now on.',
    'Facts keep the subject they were stated with, and are on one timeline. The name in `with` becomes an alias, with the aliases it has. What a more trusted source said is not ended by a less trusted fact of the other subject: that one is unconfirmed until they are split again.',
    mergeBody,
    mergeSubjects,
    ({ with: alias }: { with: string }) => alias,
  ),
  changeRoute(
    'split',
    'Split an alias from its subject: takes back a merge, and restores what it changed.',
    'The names that were merged with the alias before go with it.',
    splitBody,
    splitSubject,
    ({ alias }: { alias: string }) => alias,
  ),
];

type Change = (engine: Engine, caller: Caller, subject: string, alias: string) => Promise<void>;

function changeRoute<Body>(
  verb: string,
  summary: string,
  description: string,
  body: typeof mergeBody | typeof splitBody,
  change: Change,
  aliasOf: (body: Body) => string,
) {
  return defineRoute({
    operation: `subjects.${verb}`,
    method: 'POST',
    path: `/v1/subjects/{subject}:${verb}`,
    summary,
    description,
    access: 'user',
    request: { params: subjectParams, body },
    responses: { 200: { description: 'The page of the subject', schema: SubjectPage } },
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    async handle(engine: Engine, request) {
      const { subject } = request.params;
      await change(engine, request.caller, subject, aliasOf(request.body as Body));
      return { body: toSubject(await getSubject(engine, readerOf(request), subject)) };
    },
  });
}
