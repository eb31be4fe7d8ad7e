import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { Text } from './text.js';

interface Toast {
  id: number;
  message: string;
  tone: 'ok' | 'danger';
  /** Takes back what was done. What the server refuses is shown. */
  undo?(): Promise<unknown>;
  /** Said when it is taken back. */
  undone: string;
}

type Tell = (message: string, more?: Partial<Pick<Toast, 'tone' | 'undo' | 'undone'>>) => void;

const ToastContext = createContext<Tell>(() => undefined);
const shownMs = 8000;
const shownWithUndoMs = 30_000;
const mostToasts = 4;
let lastId = 0;

/** Returns what tells the person what happened, with a way to undo it if there is one. */
export function useTell(): Tell {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [isHeld, setHeld] = useState(false);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const tell: Tell = useCallback((message, more = {}) => {
    lastId += 1;
    const toast: Toast = { id: lastId, message, tone: 'ok', undone: 'Undone.', ...more };
    setToasts((all) => [...all.slice(1 - mostToasts), toast]);
  }, []);
  const takeBack = ({ id, undo, undone }: Toast) => {
    close(id);
    setHeld(false);
    undo?.().then(
      () => tell(undone),
      (error: Error) => tell(error.message, { tone: 'danger' }),
    );
  };
  const latest = toasts.findLast(({ undo }) => undo !== undefined);
  return (
    <ToastContext value={tell}>
      {children}
      <div
        className="toasts"
        role="status"
        aria-live="polite"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {toasts.map((toast) => (
          <ToastNote
            key={toast.id}
            toast={toast}
            isHeld={isHeld}
            hasKey={toast === latest}
            onUndo={() => takeBack(toast)}
            onClose={() => {
              close(toast.id);
              setHeld(false);
            }}
          />
        ))}
      </div>
    </ToastContext>
  );
}

interface ToastNoteProps {
  toast: Toast;
  /** It stays while the pointer or the focus is on the toasts. */
  isHeld: boolean;
  /** Whether the key for undoing is meant for it. */
  hasKey: boolean;
  onUndo(): void;
  onClose(): void;
}

function ToastNote({ toast: { message, tone, undo }, isHeld, hasKey, onUndo, onClose }: ToastNoteProps) {
  const stays = isHeld || tone === 'danger';
  const ms = undo === undefined ? shownMs : shownWithUndoMs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new way to close it does not begin its time again
  useEffect(() => {
    if (stays) return;
    const timer = window.setTimeout(onClose, ms);
    return () => window.clearTimeout(timer);
  }, [stays, ms]);
  return (
    <div className={`toast ${tone}`}>
      <Text value={message} />
      {undo !== undefined && (
        <button type="button" className="button small" {...(hasKey && { 'data-shortcut': 'u' })} onClick={onUndo}>
          Undo
        </button>
      )}
      <button type="button" className="button small quiet" aria-label="Dismiss" onClick={onClose}>
        ×
      </button>
    </div>
  );
}
