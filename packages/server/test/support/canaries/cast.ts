import type { Owner, RowName } from './what-finds-what.js';
import { type Cells, type Row, whatFindsWhat } from './what-finds-what.js';

/** Who asks, as a token describes them. */
export interface Reader {
  name: string;
  tenant: string;
  /** The user whose memory it is about. */
  user: string;
  /** The holder of the token, if not the user: a service. */
  service?: { user: string; role: 'service' | 'admin' };
  /** Default: the workspace named after the user. */
  workspace?: string;
  teams?: readonly string[];
  org?: string;
  orgRoot?: boolean;
  /** Further namespaces, read-only. */
  namespaces?: readonly string[];
  agent?: string;
  crew?: string;
}

/** Something written once, in one place, by one user. */
export interface Plant {
  row: RowName;
  tenant: string;
  /** null: the plugin listener, which names nobody. */
  writer: string | null;
  /** The workspace, team, organization or namespace it was written to. */
  place?: string;
  /** Of a note: `workspace`, `agent:…` or `crew:…`. */
  noteOwner?: string;
  word: string;
  /** Ids of the stored memories. */
  ids: string[];
}

export const workspaceOf = ({ workspace, user }: Reader): string => workspace ?? user;

/** Returns whether the reader may read what is planted, and if so, whether the reader wrote it there. */
function relationOf(reader: Reader, plant: Plant): 'writer' | 'other' | 'stranger' {
  if (reader.tenant !== plant.tenant) return 'stranger';
  // What nobody in particular wrote into the workspace named after a user is the user's.
  const isWriter = reader.user === (plant.writer ?? plant.place);
  const place = plant.place ?? '';
  const allowed: Record<Owner, () => boolean> = {
    user: () => isWriter,
    'workspace namespace': () =>
      workspaceOf(reader) === place || (reader.namespaces ?? []).includes(`workspace:${place}`),
    'workspace notes': () => workspaceOf(reader) === place && seesNote(reader, plant.noteOwner ?? ''),
    team: () => (reader.teams ?? []).includes(place) || (reader.namespaces ?? []).includes(`team:${place}`),
    org: () => reader.org === place || (reader.namespaces ?? []).includes(`org:${place}`),
    'granted namespace': () => (reader.namespaces ?? []).includes(place),
    everybody: () => true,
    nobody: () => false,
  };
  const { owner } = whatFindsWhat[plant.row];
  if (!allowed[owner]()) return 'stranger';
  const isAtHome = owner !== 'workspace namespace' || workspaceOf(reader) === place;
  return isWriter && isAtHome ? 'writer' : 'other';
}

function seesNote({ agent, crew }: Reader, noteOwner: string): boolean {
  if (agent === undefined && crew === undefined) return true;
  return noteOwner === `agent:${agent}` || noteOwner === `crew:${crew}`;
}

export function mayRead(reader: Reader, plant: Plant): boolean {
  return relationOf(reader, plant) !== 'stranger';
}

/** Returns whether the user wrote what is planted, or owns it, where the reader may read it. */
export function wrote(reader: Reader, plant: Plant): boolean {
  return relationOf(reader, plant) === 'writer' || (mayRead(reader, plant) && plant.writer === reader.user);
}

export const allScopes = ['own', 'shared', 'public'] as const;
export type Scope = (typeof allScopes)[number];

/** Returns whether a query must find what is planted. */
export function finds(
  reader: Reader,
  plant: Plant,
  column: keyof Cells,
  scopes: readonly Scope[] = allScopes,
): boolean {
  const relation = relationOf(reader, plant);
  if (relation === 'stranger') return false;
  const row: Row = whatFindsWhat[plant.row];
  const cell = (relation === 'writer' ? row.byWriter : row.byOthers)[column];
  if (cell === 'yes') return column !== 'recall' || scopes.includes('own');
  if (cell === 'with shared') return scopes.includes('shared');
  if (cell === 'with public') return scopes.includes('public');
  return cell === 'as documents';
}

/** Returns whether the reader may change what is planted; notes, documents and files change with their record. */
export function mayWrite(reader: Reader, plant: Plant): boolean {
  const { owner } = whatFindsWhat[plant.row];
  if (!mayRead(reader, plant)) return false;
  if (owner === 'user') return true;
  if (owner === 'everybody') return reader.user === plant.writer;
  if (owner === 'workspace namespace') return workspaceOf(reader) === plant.place;
  if (owner === 'team') return (reader.teams ?? []).includes(plant.place ?? '');
  if (owner === 'org')
    return reader.org === plant.place && (reader.orgRoot === true || reader.service?.role === 'admin');
  return false;
}

/** One name for a user, a workspace, a team and an organization. */
const alike = 'atlas';
export const users = ['ann', 'bob', alike] as const;

/** The readers of one tenant. */
export function readersOf(tenant: string): Reader[] {
  const readers: Omit<Reader, 'tenant'>[] = [
    { name: 'Ann', user: 'ann' },
    { name: 'Bob', user: 'bob' },
    { name: 'the user Atlas', user: alike },
    { name: 'Ann in the workspace she shares', user: 'ann', workspace: 'room' },
    { name: 'Bob in the workspace he shares', user: 'bob', workspace: 'room' },
    { name: 'Bob in the workspace Atlas', user: 'bob', workspace: alike },
    { name: 'Ann in the team Atlas and the organization Corp', user: 'ann', teams: [alike], org: 'corp' },
    {
      name: 'Bob in the team Blue and the organization Atlas',
      user: 'bob',
      teams: ['blue'],
      org: alike,
      orgRoot: true,
    },
    {
      name: 'Ann with granted namespaces',
      user: 'ann',
      namespaces: ['custom:birds', 'team:blue', `org:${alike}`, 'workspace:bob'],
    },
    { name: 'an agent of Ann', user: 'ann', agent: 'a1' },
    {
      name: 'an agent of Bob and its crew in the shared workspace',
      user: 'bob',
      workspace: 'room',
      agent: 'a2',
      crew: 'c1',
    },
    { name: 'a crew of the user Atlas', user: alike, crew: 'c1' },
    { name: 'a service for Ann', user: 'ann', service: { user: 'svc', role: 'service' } },
    {
      name: 'an administrator for Bob',
      user: 'bob',
      workspace: alike,
      org: 'corp',
      service: { user: 'boss', role: 'admin' },
    },
    { name: 'a stranger', user: 'zoe' },
  ];
  return readers.map((reader) => ({ ...reader, tenant }));
}
