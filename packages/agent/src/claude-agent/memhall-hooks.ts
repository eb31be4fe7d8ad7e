import type { MemoryAudit, MemoryBackend } from '../memory/memory-backend.js';
import { toRecallMessage, untrustedMemoryRule } from '../memory/recall-message.js';
import { searchRule } from '../memory/recall-once-backend.js';
import { lastAnswer } from './last-answer.js';

export interface MemhallHooksOptions {
  memory: MemoryBackend;
  /**
   * `once`, the default: at the first prompt for which something is found, and again after the conversation was cleared or compacted.
   * `every_prompt`: for each prompt.
   */
  recall?: 'once' | 'every_prompt';
  /** Whether turns are remembered when the agent stops. Default true. */
  remembers?: boolean;
  audit?: MemoryAudit;
}

interface Session {
  isTold: boolean;
  isRecalled: boolean;
  prompt?: { content: string; at: number };
}

// biome-ignore lint/suspicious/noExplicitAny: the input of hooks of every version of the SDK
type Hook = (input: any, toolUseId?: string, options?: { signal: AbortSignal }) => Promise<any>;

/**
 * Creates the `hooks` of the Claude Agent SDK: they tell the model about its memory when a session starts, show it memories that fit the first
 * prompt, and remember each turn when the agent stops. Prompts of subagents are left alone. Give the agent `memhallServer` to search for
 * the rest.
 */
export function memhallHooks({ memory, recall = 'once', remembers = true, audit = () => {} }: MemhallHooksOptions) {
  const sessions = new Map<string, Session>();
  const rules = recall === 'once' ? `${untrustedMemoryRule}\n\n${searchRule}` : untrustedMemoryRule;

  function sessionOf(id: string): Session {
    const session = sessions.get(id) ?? { isTold: false, isRecalled: false };
    sessions.set(id, session);
    return session;
  }

  const start: Hook = async ({ session_id: id, source }) => {
    const session = sessionOf(id);
    // What was shown is still in the transcript of a session that goes on.
    session.isRecalled = source === 'resume' || source === 'fork';
    session.isTold = true;
    return toContext('SessionStart', rules);
  };

  const prompt: Hook = async ({ session_id: id, prompt: text, agent_id: agentId }, _, options) => {
    if (agentId !== undefined || text.trim() === '') return {};
    const session = sessionOf(id);
    session.prompt = { content: text, at: Date.now() };
    if (recall === 'once' && session.isRecalled) return {};
    let failed = false;
    const { references } = await memory.recallBeforeRun({
      ...{ sessionId: id, prompt: text, ...(options === undefined ? {} : { signal: options.signal }) },
      audit: async (event) => {
        failed ||= event.type.endsWith('_recall_failed');
        await audit(event);
      },
    });
    session.isRecalled = !failed && references.length > 0;
    const context = [...(session.isTold ? [] : [rules]), toRecallMessage(references)];
    session.isTold = true;
    return toContext('UserPromptSubmit', context.filter((part) => part !== undefined).join('\n\n'));
  };

  const stop: Hook = async ({
    session_id: id,
    last_assistant_message: answer,
    transcript_path: path,
    agent_id: agentId,
  }) => {
    const session = sessionOf(id);
    const user = session.prompt;
    if (!remembers || agentId !== undefined || user === undefined) return {};
    const content: string = answer ?? (await lastAnswer(path));
    if (content.trim() === '') return {};
    delete session.prompt;
    await memory.persistAfterRun({ sessionId: id, user, assistant: { content, at: Date.now() }, audit });
    return {};
  };

  const end: Hook = async ({ session_id: id }) => {
    sessions.delete(id);
    return {};
  };

  return {
    SessionStart: [{ hooks: [start] }],
    UserPromptSubmit: [{ hooks: [prompt] }],
    Stop: [{ hooks: [stop] }],
    SessionEnd: [{ hooks: [end] }],
  };
}

function toContext(hookEventName: 'SessionStart' | 'UserPromptSubmit', additionalContext: string) {
  return additionalContext === '' ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };
}
