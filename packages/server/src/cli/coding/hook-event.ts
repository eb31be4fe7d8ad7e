import type { AgentName } from '../clients/agent-hooks.js';

/** Something that was said in a session. */
export interface Turn {
  /** Identifies it within the session. */
  id: string;
  role: 'user' | 'assistant';
  text: string;
  at: Date;
}

/** The input of a hook, in one form for all coding agents. */
export interface HookEvent {
  /** start: a session begins with an empty context. prompt: the user said something. turn: something was said. other: nothing to do. */
  kind: 'start' | 'prompt' | 'turn' | 'other';
  name: string;
  session: string;
  directory: string;
  /** What was said, as far as the agent tells. */
  turns: readonly Turn[];
  /** File of the agent that has what was said. */
  transcript?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const longestInput = 200_000;
/** Gemini CLI puts what hooks have shown before the prompt: it is not what the user said, and must not be remembered again. */
const shownByHooks = /<hook_context>[\s\S]*?<\/hook_context>/g;

/** Reads what an agent wrote to the standard input of a hook. Throws an error that says what is wrong. */
export function readHookEvent(agent: AgentName, input: string, now: Date): HookEvent {
  const given: unknown = JSON.parse(input);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('the input is not an object');
  const fields = given as Fields;
  const name = textIn(fields, 'hook_event_name') ?? '';
  const session = textIn(fields, 'session_id') ?? textIn(fields, 'conversation_id');
  if (session === undefined) throw new Error('the input names no session');
  const roots = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : [];
  const directory = textIn(fields, 'cwd') ?? roots.find((root) => typeof root === 'string') ?? process.cwd();
  const read = { 'claude-code': readClaudeCode, codex: readCodex, cursor: readCursor, gemini: readGemini }[agent];
  return { name, session, directory, turns: [], ...read(name, fields, now) };
}

type Read = Pick<HookEvent, 'kind'> & Partial<Pick<HookEvent, 'turns' | 'transcript'>>;

/** Claude Code keeps what was said in a file, with ids and times. */
function readClaudeCode(name: string, fields: Fields): Read {
  if (name === 'SessionStart') return startOf(fields);
  if (name === 'UserPromptSubmit') return { kind: 'prompt', turns: promptOf(fields, '', new Date(0)) };
  const transcript = textIn(fields, 'transcript_path');
  if ((name !== 'Stop' && name !== 'SessionEnd') || transcript === undefined) return { kind: 'other' };
  return { kind: 'turn', transcript };
}

function readCodex(name: string, fields: Fields, at: Date): Read {
  const turn = textIn(fields, 'turn_id') ?? String(at.getTime());
  if (name === 'SessionStart') return startOf(fields);
  if (name === 'UserPromptSubmit') return { kind: 'prompt', turns: promptOf(fields, `${turn}:user`, at) };
  if (name === 'Stop')
    return { kind: 'turn', turns: saidIn(fields, 'last_assistant_message', `${turn}:assistant`, at) };
  return { kind: 'other' };
}

/** An answer may come in several parts. */
function readCursor(name: string, fields: Fields, at: Date): Read {
  const generation = textIn(fields, 'generation_id') ?? String(at.getTime());
  if (name === 'sessionStart') return { kind: 'start' };
  if (name === 'beforeSubmitPrompt') return { kind: 'prompt', turns: promptOf(fields, `${generation}:user`, at) };
  if (name !== 'afterAgentResponse') return { kind: 'other' };
  return { kind: 'turn', turns: saidIn(fields, 'text', `${generation}:assistant:${at.getTime()}`, at) };
}

function readGemini(name: string, fields: Fields, now: Date): Read {
  const given = Date.parse(textIn(fields, 'timestamp') ?? '');
  const at = Number.isNaN(given) ? now : new Date(given);
  if (name === 'SessionStart') return startOf(fields);
  if (name === 'BeforeAgent') return { kind: 'prompt', turns: promptOf(fields, '', at) };
  if (name !== 'AfterAgent') return { kind: 'other' };
  const id = String(at.getTime());
  const answer = saidIn(fields, 'prompt_response', `${id}:assistant`, at);
  return { kind: 'turn', turns: [...promptOf(fields, `${id}:user`, at), ...answer] };
}

/** A session that is resumed has in its context what was shown at its start. */
function startOf(fields: Fields): Read {
  return { kind: fields.source === 'resume' ? 'other' : 'start' };
}

function promptOf(fields: Fields, id: string, at: Date): Turn[] {
  return saidIn(fields, 'prompt', id, at, 'user');
}

function saidIn(fields: Fields, name: string, id: string, at: Date, role: Turn['role'] = 'assistant'): Turn[] {
  const text = textIn(fields, name)?.replace(shownByHooks, '').trim();
  return text === undefined || text === '' ? [] : [{ id, role, text: text.slice(0, longestInput), at }];
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
