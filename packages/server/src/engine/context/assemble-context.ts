import { getAt } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import { type FoundDocument, findDocument, findDocumentAt } from '../documents/find-document.js';
import { type StaleFact, staleFacts } from '../documents/freshness.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { PathVariables } from '../documents/path-template.js';
import type { Binding, Profile } from '../documents/profile.js';
import type { Engine } from '../engine.js';
import { inWorkspace, tierNamespace } from '../tier-path.js';
import { showDocument } from '../tiers/guard-released.js';
import { chooseByMeaning } from './choose-by-meaning.js';
import { fitBudget } from './fit-budget.js';
import { projectVariable, toPathVariables } from './path-variables.js';
import { projectRoutes } from './project-routes.js';
import { type Routing, routeProject } from './route-project.js';

export interface ContextRequest {
  profileId: string;
  hint: string | undefined;
  projectId: string | undefined;
  /** Values for the variables of path templates, except the project's. */
  variables?: PathVariables;
  /** The workspace whose notes are read; default: the one named after the user. */
  workspaceId?: string | undefined;
  maxDocuments: number;
  maxCharacters: number;
  /** Documents as they were then; default: as they are. */
  at?: Date | undefined;
}

interface StoredContextDocument extends GovernedDocument {
  binding: Binding;
  migratedFrom: string | null;
}

/** A document as a model may read it. Its etag is that of the stored document. */
export interface ContextDocument extends StoredContextDocument {
  /** Number of entries that were replaced with placeholders. */
  withheldEntries: number;
  staleFacts: readonly StaleFact[];
}

type DropReason = 'max_docs' | 'max_chars_total' | 'missing' | 'blocked';

export interface AssembledContext {
  routing: Routing;
  /** By priority. */
  documents: ContextDocument[];
  dropped: DroppedBinding[];
}

interface DroppedBinding {
  bindingId: string;
  reason: DropReason;
  /** Variables of the path that the request gives no value for, except the project's. Only if the reason is `missing`. */
  missingVariables?: readonly string[];
}

type Found = ReadonlyMap<Binding, StoredContextDocument>;

/** Returns the documents an agent should know for a conversation, within a budget, and the ones that were left out. */
export async function assembleContext(
  engine: Engine,
  caller: Caller,
  request: ContextRequest,
): Promise<AssembledContext> {
  const { profile, general: own, byProject, routing: byWords } = await gather(engine, caller, request);
  const writer = inWorkspace(caller, request.workspaceId ?? caller.userId);
  const general = new Map([...own, ...(await readNotes(engine, writer, profile, request))]);
  const summaryOf = (projectId: string) => summarise(byProject.get(projectId), profile.sections.summary);
  const routing =
    byWords.reason === 'ambiguous' ? await chooseByMeaning(engine, byWords, request.hint ?? '', summaryOf) : byWords;
  const special = byProject.get(routing.projectId ?? '');
  const bindings = [...profile.bindings].sort((one, other) => one.readPriority - other.readPriority);
  const documents = bindings.flatMap((binding) => general.get(binding) ?? special?.get(binding) ?? []);
  const present = new Set(documents.map(({ binding }) => binding));
  const missing = bindings.filter((binding) => !present.has(binding));
  const screened = await Promise.all(
    documents.map((document) =>
      screen(engine, isNote(document.binding) ? writer : caller, profile, document, request.at),
    ),
  );
  const { kept, dropped } = fitBudget(
    screened.flatMap((one) => one ?? []),
    request,
  );
  const blocked = documents.flatMap(({ binding: { bindingId } }, index) =>
    screened[index] === undefined ? [{ bindingId, reason: 'blocked' } as const] : [],
  );
  const given = request.variables ?? {};
  const absent = missing.map(({ bindingId, template }) => {
    const missingVariables = template.variables.filter(
      (name) => name !== projectVariable && !Object.hasOwn(given, name),
    );
    return { bindingId, reason: 'missing', ...(missingVariables.length === 0 ? {} : { missingVariables }) } as const;
  });
  return { routing, documents: kept, dropped: [...dropped, ...blocked, ...absent] };
}

/** Returns the document without hostile entries; undefined if nothing of it may be shown. */
async function screen(
  engine: Engine,
  caller: Caller,
  profile: Profile,
  document: StoredContextDocument,
  at: Date | undefined,
): Promise<ContextDocument | undefined> {
  const shown = await showDocument(engine, caller, document);
  if ('blocked' in shown) return undefined;
  const body = { ...document.body, content: shown.content };
  return {
    ...document,
    body,
    withheldEntries: shown.withheld,
    staleFacts: staleFacts(profile, body, at ?? engine.clock.now()),
  };
}

interface Gathered {
  profile: Profile;
  /** Documents that do not depend on the project. */
  general: Found;
  /** Documents of every project the conversation may be about. */
  byProject: ReadonlyMap<string, Found>;
  routing: Routing;
}

/** Reads everything in one transaction. Meanings are compared afterwards, because an embedder may be slow. */
function gather(engine: Engine, caller: Caller, request: ContextRequest): Promise<Gathered> {
  const { profileId, hint, projectId, at } = request;
  const variables = toPathVariables(request.variables ?? {});
  return engine.store.read(scopeOf(caller), async (tables) => {
    const profile = await engine.registry.profile(tables, profileId);
    const [general, named] = await Promise.all([
      readAll(
        tables,
        profile.bindings.filter((binding) => !isNote(binding)),
        variables,
        at,
      ),
      projectId === undefined ? new Map() : readProject(tables, profile, variables, projectId, at),
    ]);
    const { routing: section } = profile.sections;
    const routes = section === undefined ? [] : projectRoutes([...general.values()], section);
    const routing = routeProject({ hint, explicitProjectId: projectId, isKnown: named.size > 0, routes });
    if (routing.reason === 'explicit')
      return { profile, general, byProject: new Map([[projectId ?? '', named]]), routing };
    const byProject = await Promise.all(
      routing.candidates.map(
        async (route) => [route.projectId, await readProject(tables, profile, variables, route.projectId, at)] as const,
      ),
    );
    return { profile, general, byProject: new Map(byProject), routing };
  });
}

function readProject(
  tables: Tables,
  { bindings }: Profile,
  variables: PathVariables,
  projectId: string,
  at: Date | undefined,
): Promise<Found> {
  const ofProjects = bindings.filter(
    (binding) => !isNote(binding) && binding.template.variables.includes(projectVariable),
  );
  return readAll(tables, ofProjects, { ...variables, [projectVariable]: projectId }, at);
}

function isNote({ namespace }: Binding): boolean {
  return namespace === tierNamespace;
}

/** Reads the bound texts of tiers, which belong to the workspace. */
async function readNotes(
  engine: Engine,
  writer: Caller,
  { bindings }: Profile,
  request: ContextRequest,
): Promise<Found> {
  const notes = bindings.filter(isNote);
  if (notes.length === 0) return new Map();
  const variables = toPathVariables(request.variables ?? {});
  return engine.store.read(scopeOf(writer), (tables) => readAll(tables, notes, variables, request.at));
}

/** Reads the documents of the bindings whose paths can be completed with these variables. */
async function readAll(
  tables: Tables,
  bindings: readonly Binding[],
  variables: PathVariables,
  at: Date | undefined,
): Promise<Found> {
  const found = await Promise.all(
    bindings.map(async (binding): Promise<[Binding, StoredContextDocument][]> => {
      const path = binding.template.fill(variables);
      if (path === undefined) return [];
      const { namespace } = binding;
      const { document, migratedFrom } = await findAt(tables, binding, { namespace, path }, at);
      return document === undefined ? [] : [[binding, { ...document, binding, migratedFrom }]];
    }),
  );
  return new Map(found.flat());
}

async function findAt(
  tables: Tables,
  binding: Binding,
  place: DocumentPlace,
  at: Date | undefined,
): Promise<Pick<FoundDocument, 'document' | 'migratedFrom'>> {
  if (at !== undefined) return findDocumentAt(tables, binding, place, at);
  const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
  return findDocument(tables, binding, place, stored);
}

function summarise(documents: Found | undefined, section: readonly string[] | undefined): string {
  if (section === undefined || documents === undefined) return '';
  const texts = [...documents.values()].map(({ body }) => getAt(body, section));
  return texts.filter((text) => typeof text === 'string').join(' ');
}
