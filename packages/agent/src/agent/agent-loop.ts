import { isId, Problem, uuidv7 } from '@memhall/core';
import {
  type CallSettings,
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import type { MemoryAudit, MemoryBackend } from '../memory/memory-backend.js';
import { textOf } from '../sessions/message-text.js';
import type { SessionStore } from '../sessions/session-store.js';
import { UnstoredSessions } from '../sessions/unstored-sessions.js';
import { createSessionSearchTool } from '../tools/session-search-tool.js';
import { createUseSkillTool } from '../tools/use-skill-tool.js';
import { Turns } from '../turns.js';
import { type AgentRunStream, type PartListener, startRunStream } from './agent-run-stream.js';
import { buildContext, type Context } from './build-context.js';
import { lengthOfLastWord } from './redacted-stream.js';
import { RunRecord } from './run-record.js';
import { toHistory } from './session-history.js';
import type { Skill } from './skills.js';
import { type ModelCall, streamAnswer } from './stream-answer.js';

export interface AgentLoopOptions {
  model: LanguageModel;
  memory: MemoryBackend;
  sessions: SessionStore;
  /** First part of the system prompt. */
  instructions?: string;
  tools?: ToolSet;
  /** Names of the tools that store something. Runs off the record do not have them. */
  storingTools?: readonly string[];
  skills?: readonly Skill[];
  /** Maximum number of model calls per run. Default 20. */
  maxSteps?: number;
  /** Maximum length of the earlier turns that the model sees. Default 60,000. */
  maxHistoryCharacters?: number;
  /** Settings for every model call, such as temperature, answer length and retries. */
  settings?: CallSettings;
  /** Redacts secrets from everything that is stored or shown to the model. */
  redact?: <T>(value: T) => T;
  /**
   * Returns how many characters at the end of a streamed text may be the beginning of a secret, so that they are held
   * back until more text arrives. Default if `redact` is given: all since the last white space.
   */
  unfinishedSecret?: (text: string) => number;
  /** Unix time in milliseconds. */
  now?: () => number;
}

export interface AgentRunRequest {
  prompt: string;
  /** Default: a new session. */
  sessionId?: string;
  /** Names of skills to activate at the start. */
  skills?: readonly string[];
  /**
   * Stores nothing of this run: neither in the memory nor in the session, and the model has no tools that do. Later runs of this loop
   * see it as long as the process lasts.
   */
  offTheRecord?: boolean;
  signal?: AbortSignal;
}

export interface AgentRunResult {
  sessionId: string;
  text: string;
  /**
   * `tool_limit` if the model still wanted tools after the last step; the text says so. Otherwise the model's own
   * reason.
   */
  finishReason: string;
  steps: number;
  usage: LanguageModelUsage;
}

type StartedRequest = AgentRunRequest & { sessionId: string };

interface Answer {
  text: string;
  finishReason: string;
  steps: number;
  usage: LanguageModelUsage;
  /** Messages that are not stored yet. */
  messages: readonly ModelMessage[];
}

/**
 * Answers prompts with a model, its tools and a memory. Runs of the same session are serialized. A run rejects with the
 * error of the model or the session store, or with the signal's reason, and is then not remembered. A failing memory
 * gateway does not fail the run.
 */
export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #turns = new Turns();
  readonly #unstored: SessionStore;

  constructor(options: AgentLoopOptions) {
    this.#options = options;
    this.#unstored = new UnstoredSessions(options.sessions);
  }

  get toolNames(): string[] {
    return Object.keys(this.#tools('', false));
  }

  async run(request: AgentRunRequest): Promise<AgentRunResult> {
    return this.#start({ ...request, sessionId: request.sessionId ?? this.#newSessionId() });
  }

  /**
   * Does the same as `run`, and streams text and tool steps as they arrive, then the result. The run starts immediately.
   * An invalid request is reported like a failed run.
   */
  stream(request: AgentRunRequest): AgentRunStream {
    const sessionId = request.sessionId ?? this.#newSessionId();
    return startRunStream(sessionId, request.signal, (onPart, signal) =>
      this.#start({ ...request, sessionId, signal }, onPart),
    );
  }

  async #start(request: StartedRequest, onPart?: PartListener): Promise<AgentRunResult> {
    const { sessionId, prompt } = request;
    if (!isId(sessionId))
      throw new Problem('INVALID_REQUEST', 'A session id must have 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -');
    if (prompt.trim() === '') throw new Problem('INVALID_REQUEST', 'The prompt must not be blank.');
    const activated = this.#findSkills(request.skills ?? []);
    const safe = { ...request, prompt: this.#redact(prompt) };
    return this.#turns.take(sessionId, () => this.#run(safe, activated, onPart));
  }

  async #run(
    request: StartedRequest,
    activated: readonly Skill[],
    onPart: PartListener | undefined,
  ): Promise<AgentRunResult> {
    const { sessionId, prompt, offTheRecord = false } = request;
    const { memory } = this.#options;
    const sessions = offTheRecord ? this.#unstored : this.#options.sessions;
    const record = new RunRecord({ sessions, sessionId, now: this.#now, redact: this.#redact });
    const audit: MemoryAudit = (event) => record.note(event);
    const askedAt = this.#now();
    const history = toHistory(await this.#unstored.read(sessionId), this.#options.maxHistoryCharacters ?? 60_000);
    await record.say([{ role: 'user', content: prompt }]);
    let answer: Answer;
    try {
      await record.note(...activated.map(({ name }) => ({ type: 'skill_activated', payload: { name } })));
      const shown = history.map(textOf).filter((text) => text !== '');
      const recalled = await memory.recallBeforeRun({ sessionId, prompt, audit, shown, ...signalOf(request) });
      const { instructions = 'You are a helpful assistant.', skills = [] } = this.#options;
      const context = buildContext({ instructions, skills, activated, recalled, history, prompt });
      answer = await this.#answer(context, record, request, onPart);
      await record.complete(answer.messages, answer.finishReason);
    } catch (error) {
      // The caller must get the original error, even if it cannot be recorded.
      await record.fail(error).catch(() => undefined);
      throw error;
    }
    const { text, finishReason, steps, usage } = answer;
    const said = { user: { content: prompt, at: askedAt }, assistant: { content: text, at: this.#now() } };
    if (!offTheRecord) await memory.persistAfterRun({ sessionId, ...said, audit });
    return { sessionId, text, finishReason, steps, usage };
  }

  async #answer(
    context: Context,
    record: RunRecord,
    { signal, offTheRecord = false }: AgentRunRequest,
    onPart: PartListener | undefined,
  ): Promise<Answer> {
    const { model, maxSteps = 20, settings = {} } = this.#options;
    let written = 0;
    const call: ModelCall = {
      ...settings,
      ...(signal === undefined ? {} : { abortSignal: signal }),
      model,
      system: context.system,
      messages: context.messages,
      tools: this.#tools(record.runId, offTheRecord),
      stopWhen: ({ steps }) => steps.length >= maxSteps,
      prepareStep: async ({ messages }) => {
        const made = messages.slice(context.messages.length);
        await record.say(made.slice(written));
        written = made.length;
        return { messages: this.#redact(messages) };
      },
    };
    const result = await (onPart === undefined
      ? generateText(call)
      : streamAnswer(call, onPart, this.#streamRedaction()));
    const { finishReason, totalUsage: usage, steps } = result;
    if (finishReason === 'error') throw new Error('The model stopped with an error.');
    const messages: ModelMessage[] = result.response.messages.slice(written);
    const given = this.#redact(result.text);
    const substitute = substituteFor(given, finishReason, steps.length);
    if (substitute !== undefined) {
      messages.push({ role: 'assistant', content: substitute });
      onPart?.({ type: 'text', text: substitute });
    }
    return {
      text: substitute ?? given,
      finishReason: finishReason === 'tool-calls' ? 'tool_limit' : finishReason,
      steps: steps.length,
      usage,
      messages,
    };
  }

  #tools(runId: string, offTheRecord: boolean): ToolSet {
    const { sessions, skills = [], tools = {}, storingTools = [] } = this.#options;
    const offered = Object.entries(tools).filter(([name]) => !offTheRecord || !storingTools.includes(name));
    return {
      ...Object.fromEntries(offered),
      session_search: createSessionSearchTool(sessions, runId),
      ...(skills.length === 0 ? {} : { use_skill: createUseSkillTool(skills) }),
    };
  }

  #findSkills(names: readonly string[]): Skill[] {
    return names.map((name) => {
      const skill = this.#options.skills?.find((known) => known.name === name);
      if (skill === undefined) throw new Problem('NOT_FOUND', 'There is no skill with that name.');
      return skill;
    });
  }

  #newSessionId(): string {
    return uuidv7(this.#now());
  }

  #streamRedaction() {
    const { redact, unfinishedSecret = lengthOfLastWord } = this.#options;
    return {
      redact: this.#redact<string>,
      redactAny: this.#redact,
      unfinishedSecret: redact === undefined ? () => 0 : unfinishedSecret,
    };
  }

  readonly #now = (): number => (this.#options.now ?? Date.now)();

  readonly #redact = <T>(value: T): T => this.#options.redact?.(value) ?? value;
}

/** Returns the text to use if the model gave no answer. */
function substituteFor(text: string, finishReason: string, steps: number): string | undefined {
  if (finishReason === 'tool-calls') {
    return `I stopped after ${steps} steps without reaching an answer. Ask me to continue, or split the request into smaller ones.`;
  }
  return text.trim() === '' ? 'I have no answer to that.' : undefined;
}

function signalOf({ signal }: AgentRunRequest): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
