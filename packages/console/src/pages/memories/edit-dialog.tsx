import { type AnyMemory, MemhallError } from '@memhall/client/operations';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAgain, useActing, useApi } from '../../api/api.js';
import { Dialog } from '../../parts/dialog.js';
import { ErrorNote } from '../../parts/error-note.js';
import { MomentInput } from '../../parts/moment-input.js';
import { LongText } from '../../parts/text.js';
import { useTell } from '../../parts/toasts.js';

interface EditDialogProps {
  memory: AnyMemory;
  /** Of the version that the person saw. */
  etag: string;
  onClose(): void;
}

/** Corrects a memory. If somebody else changed it meanwhile, shows both and lets the person decide. */
export function EditDialog({ memory: seen, etag: seenEtag, onClose }: EditDialogProps) {
  const { memory: client } = useApi();
  const { isOther, userId } = useActing();
  const queries = useQueryClient();
  const tell = useTell();
  // Live changes must not reach what the person is about to overwrite.
  const [original] = useState({ content: seen.content, tags: seen.tags, expires_at: seen.expires_at });
  const [content, setContent] = useState(seen.content);
  const [tags, setTags] = useState(seen.tags.join(', '));
  const [expiry, setExpiry] = useState(seen.expires_at ?? '');
  const [etag, setEtag] = useState(seenEtag);
  const [theirs, setTheirs] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const options = isOther ? { userId } : {};
  const write = async (fields: Parameters<typeof client.updateMemory>[1], ifMatch: string) => {
    await client.updateMemory(seen.id, fields, { ...options, ifMatch });
    await askAgain(queries);
  };
  const save = async () => {
    setBusy(true);
    setError(undefined);
    const wanted = tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    try {
      await write({ content, tags: wanted, expires_at: expiry || null }, etag);
      const before = { ...original, content: theirs ?? original.content };
      tell('Corrected.', { undo: () => write(before, '*'), undone: 'Undone: it says what it said before.' });
      onClose();
    } catch (caught) {
      if (caught instanceof MemhallError && caught.code === 'ETAG_MISMATCH') await showTheirs();
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  const showTheirs = async () => {
    const now = await client.getMemory(seen.id, options);
    if (now === null) return;
    setTheirs(now.memory.content);
    setEtag(now.etag);
  };
  return (
    <Dialog
      title="Correct this memory"
      onClose={onClose}
      wide
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button primary" disabled={isBusy || content === ''} onClick={save}>
            {theirs === undefined ? 'Save' : 'Save mine over it'}
          </button>
        </>
      }
    >
      {error !== undefined && <ErrorNote error={error} />}
      {theirs !== undefined && (
        <section className="note warn stack tight" aria-label="The text as it is now">
          <p>Somebody else changed it since you opened it. It says now:</p>
          <LongText value={theirs} />
          <div>
            <button type="button" className="button small" onClick={() => setContent(theirs)}>
              Take theirs
            </button>
          </div>
        </section>
      )}
      <div className="field">
        <label htmlFor="edit-content">Text</label>
        <textarea
          id="edit-content"
          rows={8}
          dir="auto"
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor="edit-tags">Tags, separated by commas</label>
        <input id="edit-tags" value={tags} onChange={(event) => setTags(event.target.value)} />
      </div>
      <div className="field">
        <label htmlFor="edit-expiry">Gone from (empty: never)</label>
        <MomentInput id="edit-expiry" value={expiry} onChange={setExpiry} />
      </div>
      <p className="small muted">
        The text is embedded and indexed again, and facts are read from it again. Earlier versions are kept for “as
        known at”.
      </p>
    </Dialog>
  );
}
