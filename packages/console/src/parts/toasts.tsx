import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { Text } from './text.js';

interface Toast {
  id: number;
  message: string;
  tone: 'ok' | 'danger';
  action?: { label: string; run(): void };
}

type Tell = (message: string, more?: Partial<Pick<Toast, 'tone' | 'action'>>) => void;

const ToastContext = createContext<Tell>(() => undefined);
const shownMs = 8000;
let lastId = 0;

/** Returns what tells the person what happened, with a way to undo it if there is one. */
export function useTell(): Tell {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const tell: Tell = useCallback(
    (message, more = {}) => {
      lastId += 1;
      const toast = { id: lastId, message, tone: 'ok' as const, ...more };
      setToasts((all) => [...all.slice(-3), toast]);
      window.setTimeout(() => close(toast.id), shownMs);
    },
    [close],
  );
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, message, tone, action }) => (
          <div key={id} className={`toast ${tone}`}>
            <Text value={message} />
            {action !== undefined && (
              <button
                type="button"
                className="button small"
                onClick={() => {
                  close(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
            <button type="button" className="button small quiet" aria-label="Dismiss" onClick={() => close(id)}>
              ×
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
