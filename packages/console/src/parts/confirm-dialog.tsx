import { type ReactNode, useId, useState } from 'react';
import { Dialog } from './dialog.js';
import { ErrorNote } from './error-note.js';

interface ConfirmDialogProps {
  title: string;
  /** Says what will happen, to what, and whether it can be undone. */
  children: ReactNode;
  /** The verb, such as "Forget 3 memories". */
  action: string;
  danger?: boolean;
  wide?: boolean;
  /** The person must type this first. For what cannot be undone. */
  typed?: string;
  run(): Promise<unknown>;
  onClose(): void;
}

/** Says what a change will do, does it, and stays open with the words of the server if it is refused. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, danger = false, wide = false, typed, run, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [given, setGiven] = useState('');
  const fieldId = useId();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  const footer = (
    <>
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
      <button
        type="button"
        className={danger ? 'button danger' : 'button primary'}
        disabled={isBusy || (typed !== undefined && given !== typed)}
        onClick={confirm}
      >
        {isBusy ? 'Working…' : action}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer} wide={wide}>
      {children}
      {typed !== undefined && (
        <div className="field">
          <label htmlFor={fieldId}>
            Type <code>{typed}</code> to confirm
          </label>
          <input id={fieldId} value={given} autoComplete="off" onChange={(event) => setGiven(event.target.value)} />
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  );
}
