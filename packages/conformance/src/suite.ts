/** `must`: a failure fails the run. `should`: a failure is only a warning. */
export type Level = 'must' | 'should';

/** One statement of a contract that can be verified from outside. */
export interface Requirement {
  /** Suite, group and number: `PLUGIN-NS-03`. Once published, an id keeps its meaning. */
  id: string;
  level: Level;
  sentence: string;
  /** Applies only to a target that has all of these. */
  needs?: readonly string[];
  /** Applies only to a target that does not have this. */
  lacks?: string;
}

/** A test of one or more requirements. It fails by throwing. */
export interface Case<Probe> {
  title: string;
  /** Ids of the requirements that are verified if the case passes. */
  verifies: readonly string[];
  run(probe: Probe): Promise<void>;
}

/** A connection to a target. */
export interface Session<Probe> {
  /** Name of the target in the report. */
  target: string;
  capabilities: readonly string[];
  /** Everything that requirements may need or lack: capabilities and other properties of the target. */
  conditions: readonly string[];
  /** Returns the probe of a single case. Cases do not see each other's data. */
  openProbe(signal: AbortSignal): ProbeLease<Probe>;
  close(): Promise<void>;
}

interface ProbeLease<Probe> {
  probe: Probe;
  /** Removes the data of the case, even if the run was aborted. Returns the names of data that could not be removed. */
  release(): Promise<readonly string[]>;
}

export interface Suite<Target, Probe> {
  /** Name on the command line: `plugin`. */
  name: string;
  title: string;
  /** Titles by the group part of an id, in report order. */
  groups: Readonly<Record<string, string>>;
  requirements: readonly Requirement[];
  cases: readonly Case<Probe>[];
  /** Throws TargetUnreachable if the target does not respond or denies access. */
  connect(target: Target, signal: AbortSignal): Promise<Session<Probe>>;
}

/** `PLUGIN-NS-03` → `NS`. */
export function groupOf(id: string): string {
  return id.split('-')[1] ?? '';
}

export function applies({ needs = [], lacks }: Requirement, conditions: readonly string[]): boolean {
  return needs.every((need) => conditions.includes(need)) && (lacks === undefined || !conditions.includes(lacks));
}
