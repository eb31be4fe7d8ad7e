import { MemhallError } from '@memhall/client/operations';
import { useId, useState } from 'react';
import { useRights } from '../../api/api.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import type { JsonObject } from '../../parts/json-value.js';
import { OperationList } from '../../parts/operation-list.js';
import { isWritable } from './bindings.js';
import { type Change, newKey, operationsOf } from './save-document.js';
import { useSave } from './use-save.js';

interface SaveDialogProps {
  title: string;
  action: string;
  /** Said when it is done. */
  done: string;
  place: { tenant_id: string; user_id: string; namespace: string; path: string };
  change: Change;
  onSaved(etag: string, content: JsonObject): void;
  /** Somebody else wrote meanwhile. */
  onConflict(): void;
  onClose(): void;
}

/** Says what will be written, how and why, and writes it. */
export function SaveDialog({ title, action, done, place, change, onSaved, onConflict, onClose }: SaveDialogProps) {
  const { admin } = useRights();
  const { bound, base } = change;
  const operations = operationsOf(change);
  const mayReplace = (admin || bound.binding.write_mode === 'replace_allowed') && base.etag !== null;
  const refused = operations.filter(({ path }) => !isWritable(bound, path.slice('/content'.length)));
  const [isReplaced, setReplaced] = useState(mayReplace && refused.length > 0);
  const [note, setNote] = useState('');
  const [isMigration, setMigration] = useState(false);
  const [key] = useState(newKey);
  const save = useSave(place);
  const id = useId();
  const run = async () => {
    const reason = admin && (isMigration || isReplaced) ? 'admin_migration' : 'live_update';
    try {
      const { etag, document } = await save(change, { isReplaced, reason, note: note.trim(), key }, done);
      onSaved(etag, document.content as JsonObject);
    } catch (error) {
      if (!(error instanceof MemhallError && error.code === 'ETAG_MISMATCH')) throw error;
      onConflict();
    }
  };
  return (
    <ConfirmDialog title={title} action={action} run={run} onClose={onClose} wide>
      <p>
        {isReplaced
          ? 'The whole content is replaced.'
          : `${operations.length === 1 ? 'One operation' : `${operations.length} operations`}, all or none.`}{' '}
        Every earlier version stays in its history.
      </p>
      <OperationList
        operations={operations}
        current={{ content: base.content }}
        warn={({ path }) =>
          !isReplaced && !isWritable(bound, path.slice('/content'.length))
            ? 'The profile does not make this place writable, so the server will refuse it.'
            : undefined
        }
      />
      {mayReplace && (
        <label className="check">
          <input type="checkbox" checked={isReplaced} onChange={(event) => setReplaced(event.target.checked)} />
          Replace the whole document, also where its profile allows no patch
        </label>
      )}
      {admin && !isReplaced && (
        <label className="check">
          <input type="checkbox" checked={isMigration} onChange={(event) => setMigration(event.target.checked)} />
          Record it as a migration by an admin
        </label>
      )}
      <div className="field">
        <label htmlFor={id}>Why? Kept in the history as its evidence, which new durable facts need</label>
        <input id={id} value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />
      </div>
    </ConfirmDialog>
  );
}
