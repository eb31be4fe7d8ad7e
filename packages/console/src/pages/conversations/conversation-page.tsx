import type { LearnedConversation } from '@memhall/client/operations';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useActing, useAsk, usePages, useRights } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { StaleNote } from '../../parts/stale-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import './conversations.css';
import { MadeList } from './made-list.js';
import { ReplayDialog } from './replay-dialog.js';
import { isRunning, Replays } from './replays.js';
import { TurnList } from './turn-list.js';
import { countOf, madeFrom, type Turn, turnsOfChat, turnsOfSnapshot } from './turns.js';

/** A replay that runs is looked at this often. */
const lookMs = 1000;

/** What was said in a conversation, and what was made from each turn of it. */
export function ConversationPage() {
  const { id } = useParams({ from: '/conversations/$id' });
  const { tenantId, userId, onBehalf } = useActing();
  const [isAsked, setAsked] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [runs, setRuns] = useState(false);
  const path = { tenant_id: tenantId, user_id: userId, conversation_id: id };
  const found = useAsk('conversations.get', { path }, runs ? { refetchMs: lookMs } : {});
  const isBusy = found.data?.replays.some(isRunning) ?? false;
  if (runs !== isBusy) setRuns(isBusy);
  const chat = usePages('memory.list', { path: {}, query: { session_id: id, ...onBehalf } });
  const snapshot = useSnapshot(id, found.data, isOpen);
  const turns = turnsOfChat(chat.data?.pages.flatMap(({ memories }) => memories) ?? []);
  const messages = snapshot.data === undefined ? [] : turnsOfSnapshot(snapshot.data);
  return (
    <Page
      title="Conversation"
      lead={<Text value={id} limit={256} />}
      actions={
        <button type="button" className="button" data-shortcut="e" onClick={() => setAsked(true)}>
          Replay…
        </button>
      }
    >
      {chat.isError && <ErrorNote error={chat.error} />}
      {chat.isPending && <Waiting />}
      <StaleNote of={chat} />
      <Answer of={found}>
        {(learned) => (
          <div className="conversation">
            <div className="stack">
              <Said title="What was said" turns={turns} learned={learned}>
                {chat.hasNextPage && (
                  <button type="button" className="button small" onClick={() => void chat.fetchNextPage()}>
                    Show earlier turns
                  </button>
                )}
              </Said>
              <Said title="The latest snapshot" turns={messages} learned={learned} />
              {snapshot.canBeRead && !isOpen && (
                <p className="note">
                  Snapshots are encrypted. Reading one is recorded in the audit log.{' '}
                  <button type="button" className="button small" onClick={() => setOpen(true)}>
                    Read the latest snapshot
                  </button>
                </p>
              )}
              {snapshot.isError && <ErrorNote error={snapshot.error} />}
              {chat.data !== undefined && turns.length + messages.length === 0 && !snapshot.canBeRead && (
                <Empty title="No turn of it can be read.">
                  {learned.replays.length > 0
                    ? 'Its snapshots are encrypted; only admins may read them.'
                    : 'It was forgotten, or there never was one.'}
                </Empty>
              )}
            </div>
            <div className="stack">
              <AsAWhole learned={learned} turns={[...turns, ...messages]} />
              <Replays replays={learned.replays} />
            </div>
            {isAsked && <ReplayDialog id={id} learned={learned} turns={turns} onClose={() => setAsked(false)} />}
          </div>
        )}
      </Answer>
    </Page>
  );
}

/** Reads the latest snapshot, once the person wants that. */
function useSnapshot(conversationId: string, learned: LearnedConversation | undefined, isOpen: boolean) {
  const { tenantId, userId } = useActing();
  const { admin } = useRights();
  const path = { tenant_id: tenantId, user_id: userId, conversation_id: conversationId };
  const listed = useAsk('conversations.listSnapshots', { path, query: { limit: 100 } }, { enabled: admin });
  const latest = listed.data?.snapshots.at(-1)?.snapshot_id ?? learned?.replays[0]?.snapshot_id;
  const read = useAsk(
    'conversations.readSnapshot',
    { path: { ...path, snapshot_id: latest ?? '' } },
    { enabled: admin && isOpen && latest !== undefined },
  );
  return { ...read, canBeRead: admin && latest !== undefined };
}

interface SaidProps {
  title: string;
  turns: readonly Turn[];
  learned: LearnedConversation;
  children?: ReactNode;
}

function Said({ title, turns, learned, children }: SaidProps) {
  if (turns.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        <span className="small muted">{turns.length} turns</span>
        {children}
      </header>
      <TurnList turns={turns} learned={learned} />
    </section>
  );
}

/** What is based on no single turn that is shown. */
function AsAWhole({ learned, turns }: { learned: LearnedConversation; turns: readonly Turn[] }) {
  const shown = new Set(turns.map(({ id }) => id));
  const made = madeFrom(learned, (ids) => !ids.some((id) => shown.has(id)));
  return (
    <section className="card" aria-labelledby="whole-title">
      <header className="card-head">
        <h2 id="whole-title">From it as a whole</h2>
      </header>
      <div className="card-body stack">
        {learned.digests.map(({ event_id: id, text, at, keywords }) => (
          <div key={id}>
            <p>
              <Text value={text} limit={600} />
            </p>
            <p className="small muted">
              Digest, <Time at={at} exact />
              {keywords.length > 0 && (
                <>
                  : <Text value={keywords.join(', ')} limit={300} />
                </>
              )}
            </p>
          </div>
        ))}
        {learned.digests.length === 0 && countOf(made) === 0 && <p className="muted">Nothing.</p>}
        {countOf(made) > 0 && <MadeList made={made} />}
      </div>
    </section>
  );
}
