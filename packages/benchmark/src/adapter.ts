import type { Capability, Claim } from './capabilities.js';

/** Whose memory it is. A system without tenants ignores `tenant`, and does not claim the capability `tenants`. */
export interface Owner {
  tenant: string;
  user: string;
}

export interface Found {
  id: string;
  text: string;
  /** Whether these are the user's own words. undefined if the system does not say. */
  own?: boolean | undefined;
  /** Whether the system takes it for true now. undefined if it does not say. */
  current?: boolean | undefined;
}

export interface NewText {
  text: string;
  /** `outside`: a web page, a tool or a document said it, not the user. */
  from: 'user' | 'outside';
  /** Conversation it belongs to, for systems that have such a thing. */
  session?: string | undefined;
}

/** A statement about the user. Times are RFC 3339. */
export interface Statement {
  attribute: string;
  value: string;
  validFrom: string;
}

export interface Question {
  attribute: string;
  asOf?: string | undefined;
  knownAt?: string | undefined;
}

/** Where a system stores its data during one case, and what it may use. */
export interface Place {
  /** Empty at first. Everything that is not in the database has to be in it. It is also the home directory. */
  directory: string;
  /** An empty database with pgvector, if the adapter's storage is `postgres`. */
  databaseUrl: string | undefined;
  /** An endpoint with the wire format of OpenAI: `/embeddings` and `/chat/completions`. Any key and any model name will do. */
  modelUrl: string;
  /** Length of its vectors. */
  dimensions: number;
  /** What was given with `--set name=value`. */
  settings: Readonly<Record<string, string>>;
  /** Variables of the process: what the adapter names, `PATH` and a home directory. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Imports an installed package of the system, which is looked for in the directories of `--packages`. */
  importPackage(specifier: string): Promise<Record<string, unknown>>;
  /** Returns the directory of an installed package. */
  packageDirectory(name: string): string;
}

/**
 * A running system, in a process of its own. Calls may come at the same time. What a system refuses, it rejects with an error that says why:
 * a refusal is never counted as a fault where a case allows it.
 */
export interface MemorySystem {
  /** Resolves with an id when the system says that the text is stored. */
  remember(owner: Owner, text: NewText): Promise<string>;
  /** Best match first. */
  recall(owner: Owner, query: string, limit: number): Promise<Found[]>;
  /** Returns everything that the owner has stored, in any order. */
  list(owner: Owner): Promise<Found[]>;
  /** Reads by id, as the owner. Returns null if there is no such memory for this owner. Capability `scopedIds`. */
  read?(owner: Owner, id: string): Promise<string | null>;
  /** Adds a line to what is stored under the id, with what the system documents for that. Capability `append`. */
  append?(owner: Owner, id: string, line: string): Promise<void>;
  /** Capability `replace`. */
  replace?(owner: Owner, id: string, text: string): Promise<void>;
  /** Capability `forget`. */
  forget?(owner: Owner, id: string): Promise<void>;
  /** Capability `forgetUser`. */
  forgetUser?(owner: Owner): Promise<void>;
  /** Does what the documentation says removes deleted text from files. Capability `compact`. */
  compact?(): Promise<void>;
  /** Capability `asOf` or `knownAt`. */
  state?(owner: Owner, statement: Statement): Promise<void>;
  /** Returns the values that hold. Capability `asOf` or `knownAt`. */
  ask?(owner: Owner, question: Question): Promise<string[]>;
  /** Resolves when work in the background is done, so that what was stored can be recalled by meaning. */
  settle?(): Promise<void>;
  /** Ends orderly. */
  close(): Promise<void>;
}

/** Connects one system to the benchmark. Loading the module must not need the packages of the system; `open` may. */
export interface Adapter {
  /** As on the command line. */
  name: string;
  title: string;
  /** Which settings it runs with, and why these. */
  settings: string;
  /** Address of its documentation. */
  documentation: string;
  /** Its npm packages, whose versions are printed. */
  packages: readonly string[];
  storage: 'files' | 'postgres' | 'remote';
  /** Directories below `Place.directory` in a format that only the system itself can read. */
  opaque?: readonly string[];
  /** Environment variables of its process. Nothing else is passed on but `PATH` and a home directory. */
  environment?: Readonly<Record<string, string>>;
  /** Names of variables that are passed on from the caller's environment, such as keys. */
  passedOn?: readonly string[];
  /** One for every capability, so that nothing is left out silently. */
  claims: Readonly<Record<Capability, Claim>>;
  /** What its documentation says about the result of a case, by the id of the case. Shown if the case does not pass. */
  remarks?: Readonly<Record<string, string>>;
  open(place: Place): Promise<MemorySystem>;
}
