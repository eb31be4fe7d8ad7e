import type { RecallStage } from '../../ports/telemetry.js';

export interface StageTimes {
  stage: RecallStage;
  /** Milliseconds of a recall on average, in the last minutes. */
  nowMs: number;
  /** The same earlier in the hour; null if there was no recall. */
  beforeMs: number | null;
}

export interface LatencyFacts {
  /** Milliseconds that nineteen of twenty recalls take at most; null if there was none in the last minutes. */
  recallMs: number | null;
  /** The same earlier in the hour. */
  recallBeforeMs: number | null;
  objectiveMs: number;
  stages: readonly StageTimes[];
  /** Delays of the event loop in the last minutes. */
  stalls: readonly { operation: string; delayMs: number }[];
  isShedding: boolean;
  /** Requests that wait for a connection to the database now. */
  waitingForConnection: number;
}

export interface LatencyFinding {
  kind: 'stage' | 'stall' | 'overload' | 'connections';
  /** The part of recall, or the operation, that takes the time. */
  about: string;
  message: string;
}

/** What each part of a recall does, and what to do if it is slow. */
const stages: Readonly<Record<RecallStage, { doing: string; advice: string }>> = {
  load: {
    doing: 'reading the index of the memories',
    advice: 'Look at the database: its load, its disk and its round trip. The first recall after a pause reads more.',
  },
  embed: {
    doing: 'embedding the question',
    advice:
      'Look at the embedder: an endpoint that answers slowly, or a model that competes for the processor with re-embedding.',
  },
  match: {
    doing: 'comparing words and vectors',
    advice: 'It runs on the processor of this process: look at its load, and at how many memories the user has.',
  },
  fetch: {
    doing: 'fetching the texts of the results',
    advice: 'Look at the database: its load, its disk and its round trip.',
  },
  rerank: {
    doing: 'reranking',
    advice: 'Lower MEMHALL_RERANKER_CANDIDATES or MEMHALL_RERANKER_DEADLINE_MS.',
  },
  outside: {
    doing: 'asking the memory plugin',
    advice: 'Look at the plugin at MEMORY_PLUGIN_URL.',
  },
};

/** Recall counts as slower if it takes this many times as long as before. */
const slower = 1.5;
/** A part is named if it takes at least this share of the time. */
const share = 0.25;

/** Says what makes recall slow, most important first. Empty if it is not slow. */
export function explainLatency(facts: LatencyFacts): LatencyFinding[] {
  return [...overload(facts), ...connections(facts), ...stalls(facts), ...slowStages(facts)];
}

function slowStages({ recallMs, recallBeforeMs, objectiveMs, stages: times }: LatencyFacts): LatencyFinding[] {
  if (recallMs === null) return [];
  const isSlow = recallMs > objectiveMs || (recallBeforeMs !== null && recallMs > recallBeforeMs * slower);
  const totalMs = times.reduce((sum, { nowMs }) => sum + nowMs, 0);
  if (!isSlow || totalMs === 0) return [];
  return [...times]
    .sort((a, b) => b.nowMs - a.nowMs)
    .filter(({ nowMs }) => nowMs >= totalMs * share)
    .map(({ stage, nowMs, beforeMs }) => {
      const before = beforeMs === null ? '' : ` Earlier in the hour it took ${say(beforeMs)}.`;
      const { doing, advice } = stages[stage];
      const message = `${capital(doing)} takes ${say(nowMs)} of the ${say(totalMs)} of a recall.${before} ${advice}`;
      return { kind: 'stage', about: stage, message };
    });
}

/** What the watch of the event loop calls a stall that no single request caused. */
const unnamed: Readonly<Record<string, string>> = {
  several: 'many operations together',
  none: 'while no request was served',
};

function stalls({ stalls: found }: LatencyFacts): LatencyFinding[] {
  const longest = [...found].sort((a, b) => b.delayMs - a.delayMs)[0];
  if (longest === undefined) return [];
  const { operation, delayMs } = longest;
  const what = unnamed[operation] ?? operation;
  const message = `Something kept all requests waiting ${times(found.length)}, the longest for ${say(delayMs)}: ${what}.`;
  return [{ kind: 'stall', about: operation, message }];
}

function overload({ isShedding }: LatencyFacts): LatencyFinding[] {
  if (!isShedding) return [];
  const message = 'The process has too much to do and refuses new requests. Add processes, or send fewer requests.';
  return [{ kind: 'overload', about: 'several', message }];
}

function connections({ waitingForConnection: waiting }: LatencyFacts): LatencyFinding[] {
  if (waiting === 0) return [];
  const message = `${waiting} requests wait for a connection to the database. Look for slow statements, or allow more connections.`;
  return [{ kind: 'connections', about: 'database', message }];
}

function say(ms: number): string {
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
