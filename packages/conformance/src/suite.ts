/** must: a failure fails the run. should: a failure is a warning. */
export type Level = 'must' | 'should';

/** One sentence of a contract that can be found true or false from outside. */
export interface Requirement {
  /** Suite, group and number: `PLUGIN-NS-03`. Once published it stays with its sentence. */
  id: string;
  level: Level;
  sentence: string;
  /** Holds only for a target that has all of these. */
  needs?: readonly string[];
  /** Holds only for a target that does not have this. */
  lacks?: string;
}

/** A trial of one or more requirements. It fails by throwing. */
export interface Case<Probe> {
  title: string;
  /** Ids of requirements; all of them hold if it passes. */
  verifies: readonly string[];
  run(probe: Probe): Promise<void>;
}

/** A target that answers. */
export interface Session<Probe> {
  /** As the report names it. */
  target: string;
  capabilities: readonly string[];
  /** What requirements may need or lack: capabilities, and what else is known of the target. */
  conditions: readonly string[];
  /** What a single case works with. Nothing that one case makes is seen by another. */
  openProbe(signal: AbortSignal): ProbeLease<Probe>;
  close(): Promise<void>;
}

interface ProbeLease<Probe> {
  probe: Probe;
  /** Removes what the case has made, also after the signal of the run; answers what could not be removed. */
  release(): Promise<readonly string[]>;
}

export interface Suite<Target, Probe> {
  /** As on the command line: `plugin`. */
  name: string;
  title: string;
  /** Titles by the group in the middle of an id, in the order of the report. */
  groups: Readonly<Record<string, string>>;
  requirements: readonly Requirement[];
  cases: readonly Case<Probe>[];
  /** Throws TargetUnreachable when there is nobody, or nobody who lets us in. */
  connect(target: Target, signal: AbortSignal): Promise<Session<Probe>>;
}

/** `PLUGIN-NS-03` → `NS`. */
export function groupOf(id: string): string {
  return id.split('-')[1] ?? '';
}

export function applies({ needs = [], lacks }: Requirement, conditions: readonly string[]): boolean {
  return needs.every((need) => conditions.includes(need)) && (lacks === undefined || !conditions.includes(lacks));
}
