import type { AnyMemory } from '@memhall/client/operations';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { dropLists, useActing, useApi, useChange } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { Text } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';
import { EditDialog } from './edit-dialog.js';

interface MemoryActionsProps {
  memory: AnyMemory;
  etag: string;
}

/** What can be done with a memory. A part of something else is changed there. */
export function MemoryActions({ memory, etag }: MemoryActionsProps) {
  const whole = <WholeOf memory={memory} />;
  const isPart = ['document', 'resource', 'tier'].includes(memory.kind);
  return (
    <>
      {!isPart && <Change memory={memory} etag={etag} />}
      <Link
        to="/recall"
        search={(all) => ({ user: all.user, q: memory.content.slice(0, 200), why: memory.id })}
        className="button"
      >
        Why is it recalled?
      </Link>
      {isPart ? whole : <Forget memory={memory} etag={etag} />}
    </>
  );
}

/** Names what the memory is a part of, and leads there. */
function WholeOf({ memory: { origin } }: { memory: AnyMemory }): ReactNode {
  if (origin.document !== undefined) {
    return (
      <>
        <Link
          to="/documents/$namespace/$path"
          params={{ namespace: origin.document.namespace, path: origin.document.path }}
          className="button"
        >
          Open the document
        </Link>
        <span className="muted">It is a part of a document, and is changed there.</span>
      </>
    );
  }
  if (origin.tier !== undefined) {
    return (
      <span className="muted">
        It is a part of the note <Text value={`${origin.tier.owner}/${origin.tier.label}`} limit={200} />, which its
        agent changes.
      </span>
    );
  }
  return <span className="muted">It is a part of a file, and goes when the file is deleted.</span>;
}

function Change({ memory, etag }: MemoryActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const { onBehalf } = useActing();
  const update = useChange('memory.update');
  const tell = useTell();
  const pin = async (isPinned: boolean) => {
    const input = { path: { id: memory.id }, body: { pin: isPinned, ...onBehalf }, headers: { 'if-match': '*' } };
    try {
      await update.mutateAsync(input);
      const said = { pinned: 'Pinned: it ranks higher now.', unpinned: 'No longer pinned.' };
      tell(isPinned ? said.pinned : said.unpinned, {
        undo: () => update.mutateAsync({ ...input, body: { ...input.body, pin: !isPinned } }),
        undone: isPinned ? said.unpinned : said.pinned,
      });
    } catch (error) {
      tell((error as Error).message, { tone: 'danger' });
    }
  };
  return (
    <>
      <button type="button" className="button" data-shortcut="e" onClick={() => setOpen(true)}>
        Edit
      </button>
      <button
        type="button"
        className="button"
        title={memory.pin ? 'It ranks as others do again' : 'It ranks higher in every recall'}
        onClick={() => void pin(!memory.pin)}
      >
        {memory.pin ? 'Unpin' : 'Pin'}
      </button>
      {isOpen && <EditDialog memory={memory} etag={etag} onClose={() => setOpen(false)} />}
    </>
  );
}

function Forget({ memory, etag }: MemoryActionsProps) {
  const [isAsked, setAsked] = useState(false);
  const [withCopies, setWithCopies] = useState(false);
  const { operations } = useApi();
  const { onBehalf } = useActing();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useTell();
  const forget = async () => {
    const query = { ...onBehalf, ...(withCopies && { copies: true }) };
    await operations.call('memory.forget', { path: { id: memory.id }, query, headers: { 'if-match': etag } });
    tell('Forgotten.');
    dropLists(queries);
    await navigate({ to: '/memories', search: ({ user }) => ({ user }) });
  };
  return (
    <>
      <button type="button" className="button danger-quiet" onClick={() => setAsked(true)}>
        Forget…
      </button>
      {isAsked && (
        <ConfirmDialog
          title="Forget this memory?"
          action="Forget it"
          danger
          onClose={() => setAsked(false)}
          run={forget}
        >
          <p>
            Its text, vector and index rows go in one transaction, with what was derived from it alone; what such a fact
            had ended is current again. This cannot be undone. The audit log keeps that it happened, without the text.
          </p>
          <label className="check">
            <input type="checkbox" checked={withCopies} onChange={(event) => setWithCopies(event.target.checked)} />
            Forget its copies too
          </label>
        </ConfirmDialog>
      )}
    </>
  );
}
