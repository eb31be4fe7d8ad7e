import type { Operations } from '@memhall/client/operations';
import { useState } from 'react';
import { useActing, useAsk, useChange } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { LongText, Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useTell } from '../../parts/toasts.js';

type Entry = Operations['quarantine.list']['answer']['entries'][number];

/** A text that must not reach a model, and why. It is read only on request, because reading it is recorded. */
export function QuarantineItem({ entry }: { entry: Entry }) {
  const { tenantId } = useActing();
  const [isRead, setRead] = useState(false);
  const [asked, setAsked] = useState<'release' | 'delete'>();
  const release = useChange('quarantine.release');
  const remove = useChange('quarantine.delete');
  const tell = useTell();
  const path = { tenant_id: tenantId, quarantine_id: entry.quarantine_id };
  return (
    <section className="card" aria-label={`Quarantined: ${entry.label}`} data-row>
      <header className="card-head">
        <h2>
          <Text value={`${entry.owner} / ${entry.label}`} limit={160} />
        </h2>
        <span className="row">
          <Badge tone="danger">{entry.category}</Badge>
          <Badge>{entry.rule}</Badge>
        </span>
      </header>
      <div className="card-body stack">
        <p className="small muted">
          Workspace <Text value={entry.workspace_id} limit={128} />, written by{' '}
          <Text value={entry.origin.updated_by} limit={128} />, held since <Time at={entry.created_at} exact />. The
          rule <code>{entry.rule}</code> found signs of {entry.category}.
        </p>
        {isRead ? (
          <QuarantinedText path={path} />
        ) : (
          <p>
            <button type="button" className="button small" onClick={() => setRead(true)}>
              Read the text
            </button>{' '}
            <span className="small muted">This is recorded in the audit log.</span>
          </p>
        )}
        <div className="row">
          <button type="button" className="button" onClick={() => setAsked('release')}>
            Release…
          </button>
          <button type="button" className="button danger-quiet" onClick={() => setAsked('delete')}>
            Delete…
          </button>
        </div>
      </div>
      {asked === 'release' && (
        <ConfirmDialog
          title="Release this text?"
          action="Release"
          onClose={() => setAsked(undefined)}
          run={async () => {
            await release.mutateAsync({ path });
            tell('Released: it is back in its place, and allowed from now on.');
          }}
        >
          <p>
            It goes back to where it was written, and models may read it from now on. The decision is in the audit log.
          </p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete this text?"
          action="Delete"
          danger
          onClose={() => setAsked(undefined)}
          run={async () => {
            await remove.mutateAsync({ path });
            tell('Deleted.');
          }}
        >
          <p>It is removed permanently. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function QuarantinedText({ path }: { path: { tenant_id: string; quarantine_id: string } }) {
  const found = useAsk('quarantine.get', { path });
  return (
    <Answer of={found}>
      {({ text, offset }) => {
        if (offset === undefined) {
          return (
            <div className="quarantined">
              <LongText value={text} />
            </div>
          );
        }
        const end = endOfFinding(text, offset);
        return (
          <div className="quarantined">
            <LongText value={text.slice(0, offset)} />
            <mark>
              <Text value={text.slice(offset, end)} />
            </mark>
            <LongText value={text.slice(end)} />
          </div>
        );
      }}
    </Answer>
  );
}

/** The scanner says where a finding begins. It is shown up to the end of its sentence. */
function endOfFinding(text: string, offset: number): number {
  const end = text.slice(offset, offset + 300).search(/[.!?\n]/);
  return end === -1 ? Math.min(text.length, offset + 300) : offset + end + 1;
}
