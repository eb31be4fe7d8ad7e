import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActing, useApi, useAsk, useChange } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge, TrustBadge } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Page } from '../../parts/page.js';
import { LongText, Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';
import { FactRow } from '../subjects/fact-row.js';
import './memories.css';
import { Copies } from './copies.js';
import { EditDialog } from './edit-dialog.js';
import { OriginPairs } from './origin-pairs.js';

/** One memory from any surface: where it comes from, who changed it, and what was made from it. */
export function MemoryPage() {
  const { id } = useParams({ from: '/memories/$id' });
  const { onBehalf } = useActing();
  const found = useAsk('memory.get', { path: { id }, query: onBehalf });
  return (
    <Page title="Memory" lead={<code>{id}</code>} actions={<CopyButton label="Copy id" text={() => id} />}>
      <Answer of={found}>
        {({ memory, history, etag }) => (
          <div className="memory-detail">
            <div className="stack">
              <section className="card" aria-label="Text">
                <div className="card-body memory-full">
                  <LongText value={memory.content} />
                </div>
                <footer className="memory-actions">
                  <Actions memory={memory} etag={etag ?? '*'} />
                </footer>
              </section>
              <MadeFacts id={id} />
              <Copies memory={memory} />
            </div>
            <div className="stack">
              <section className="card" aria-labelledby="about-title">
                <header className="card-head">
                  <h2 id="about-title">About it</h2>
                  <span className="row">
                    {memory.pin && <Badge tone="accent">pinned</Badge>}
                    <Badge>{memory.kind}</Badge>
                    <TrustBadge trust={memory.trust} />
                  </span>
                </header>
                <div className="card-body">
                  <OriginPairs memory={memory} />
                </div>
              </section>
              <section className="card" aria-labelledby="history-title">
                <header className="card-head">
                  <h2 id="history-title">History</h2>
                </header>
                <ol className="card-body steps">
                  {history.map((step) => (
                    <li key={`${step.at}-${step.operation}`}>
                      <Time at={step.at} exact /> <Badge>{step.change}</Badge>{' '}
                      <span className="muted">
                        through {step.surface}
                        {(step.user_id ?? step.service_id) !== null && (
                          <>
                            {' '}
                            by <Text value={step.user_id ?? step.service_id ?? ''} limit={80} />
                          </>
                        )}{' '}
                        (<code>{step.operation}</code>)
                      </span>
                    </li>
                  ))}
                </ol>
              </section>
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

type Memory = Parameters<typeof OriginPairs>[0]['memory'];

function Actions({ memory, etag }: { memory: Memory; etag: string }) {
  const [open, setOpen] = useState<'edit' | 'forget'>();
  const { operations } = useApi();
  const { onBehalf } = useActing();
  const update = useChange('memory.update');
  const navigate = useNavigate();
  const tell = useTell();
  const pin = async (isPinned: boolean) => {
    const input = { path: { id: memory.id }, body: { pin: isPinned, ...onBehalf }, headers: { 'if-match': '*' } };
    try {
      await update.mutateAsync(input);
      tell(isPinned ? 'Pinned: it ranks higher now.' : 'No longer pinned.', {
        action: { label: 'Undo', run: () => void pin(!isPinned) },
      });
    } catch (error) {
      tell((error as Error).message, { tone: 'danger' });
    }
  };
  return (
    <>
      <button type="button" className="button" data-shortcut="e" onClick={() => setOpen('edit')}>
        Edit
      </button>
      <button type="button" className="button" onClick={() => void pin(!memory.pin)}>
        {memory.pin ? 'Unpin' : 'Pin'}
      </button>
      <Link
        to="/recall"
        search={(all) => ({ user: all.user, q: memory.content.slice(0, 200), why: memory.id })}
        className="button"
      >
        Why is it recalled?
      </Link>
      <button type="button" className="button danger-quiet" onClick={() => setOpen('forget')}>
        Forget…
      </button>
      {open === 'edit' && <EditDialog memory={memory} etag={etag} onClose={() => setOpen(undefined)} />}
      {open === 'forget' && (
        <ConfirmDialog
          title="Forget this memory?"
          action="Forget it"
          danger
          onClose={() => setOpen(undefined)}
          run={async () => {
            const input = { path: { id: memory.id }, query: onBehalf, headers: { 'if-match': etag } };
            await operations.call('memory.forget', input);
            tell('Forgotten.');
            await navigate({ to: '/memories', search: ({ user }) => ({ user }) });
          }}
        >
          <p>
            Its text, vector and index rows go in one transaction, with what was derived from it alone; what such a fact
            had ended is current again. This cannot be undone. The audit log keeps that it happened, without the text.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function MadeFacts({ id }: { id: string }) {
  const { onBehalf } = useActing();
  const facts = useAsk('facts.list', {
    path: {},
    query: { evidence: id, include_superseded: true, limit: 100, ...onBehalf },
  });
  return (
    <section className="card" aria-labelledby="facts-title">
      <header className="card-head">
        <h2 id="facts-title">Facts made from it</h2>
      </header>
      <Answer of={facts}>
        {(answer) =>
          answer.facts.length === 0 ? (
            <Empty title="No fact is based on it." />
          ) : (
            <ul>
              {answer.facts.map((fact) => (
                <FactRow key={fact.id} fact={fact} isNamed />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
