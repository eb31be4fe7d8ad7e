import { beginTurn, OneMemoryBackend, SecretText } from '@memhall/agent/turn';
import type { OneMemoryClient, RecallResult } from '@memhall/client/one-memory';
import type { AnyMemory } from '@memhall/client/operations';
import { useMemo, useRef, useState } from 'react';
import { useActing, useApi, useChange } from '../../api/api.js';

interface SaidMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** One question and its answer, with what was read before and written after it. */
export interface PlayedTurn {
  prompt: string;
  answer: string | undefined;
  model: string | undefined;
  /** What the model was shown besides the talk. */
  system: string;
  reference: string | undefined;
  recalled: readonly RecallResult[];
  remembered: readonly AnyMemory[];
  failures: readonly string[];
}

const recallLimit = 8;
const timeoutMs = 60_000;
const instructions = 'You are a helpful assistant. Answer briefly.';

/**
 * The loop of an agent, as `@memhall/agent` runs it: it recalls, asks the model, and remembers both sides. All reading and writing are
 * calls of this page, with the rights of the person.
 */
export function usePlayground(model: string) {
  const { memory, session } = useApi();
  const { onBehalf } = useActing();
  const reply = useChange('chat.reply');
  const [turns, setTurns] = useState<readonly PlayedTurn[]>([]);
  const [isBusy, setBusy] = useState(false);
  const sessionId = useRef(newSession());
  const { user_id: userId } = onBehalf;
  const configuration = useMemo(
    () => ({
      ...{ url: window.location.origin, token: new SecretText(session.token), ...(userId !== undefined && { userId }) },
      ...{ scopes: ['own', 'shared', 'public'] as const, limit: recallLimit, timeoutMs },
    }),
    [session, userId],
  );

  const send = async (prompt: string) => {
    const turn: PlayedTurn = { ...empty, prompt };
    const change = (more: Partial<PlayedTurn>) => {
      Object.assign(turn, more);
      setTurns((all) => [...all.slice(0, turns.length), { ...turn }]);
    };
    change({});
    setBusy(true);
    try {
      const history: SaidMessage[] = turns.flatMap(messagesOf);
      const backend = new OneMemoryBackend(configuration, { client: watching(memory, change) });
      const begun = await beginTurn(backend, {
        ...{ sessionId: sessionId.current, prompt, shown: history.map(({ content }) => content) },
        audit: ({ type, payload }) => {
          if (type.endsWith('_failed')) change({ failures: [...turn.failures, `${type}: ${JSON.stringify(payload)}`] });
        },
      });
      change({ system: begun.system, reference: begun.reference });
      const answered = await reply.mutateAsync({
        path: {},
        body: {
          model,
          messages: [
            { role: 'system', content: [instructions, begun.system].join('\n\n') },
            ...(begun.reference === undefined ? [] : [{ role: 'user' as const, content: begun.reference }]),
            ...history,
            { role: 'user', content: prompt },
          ],
        },
      });
      change({ answer: answered.message.content, model: answered.model });
      await begun.complete(answered.message.content);
    } catch (error) {
      change({ failures: [...turn.failures, (error as Error).message] });
    } finally {
      setBusy(false);
    }
  };

  const startOver = () => {
    sessionId.current = newSession();
    setTurns([]);
  };
  return { turns, isBusy, send, startOver, sessionId: sessionId.current };
}

const empty: Omit<PlayedTurn, 'prompt'> = {
  ...{ answer: undefined, model: undefined, system: '', reference: undefined },
  ...{ recalled: [], remembered: [], failures: [] },
};

function newSession(): string {
  return `playground:${crypto.randomUUID()}`;
}

function messagesOf({ prompt, answer }: PlayedTurn): SaidMessage[] {
  return answer === undefined
    ? []
    : [
        { role: 'user', content: prompt },
        { role: 'assistant', content: answer },
      ];
}

/** A client that shows what goes through it. */
function watching(
  client: OneMemoryClient,
  show: (seen: Partial<PlayedTurn>) => void,
): Pick<OneMemoryClient, 'recall' | 'rememberMany'> {
  return {
    recall: async (query, options) => {
      const answer = await client.recall(typeof query === 'string' ? { query } : query, options);
      show({ recalled: answer.results });
      return answer;
    },
    rememberMany: async (memories, options) => {
      const remembered = await client.rememberMany(memories, options);
      show({ remembered });
      return remembered;
    },
  };
}
