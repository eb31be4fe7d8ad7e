import { type ReactNode, useSyncExternalStore } from 'react';

/** As in the styles: what stands beside each other on wider screens. */
const narrow = window.matchMedia('(max-width: 640px)');

function watch(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

/** Settings that would push on a narrow screen what they are for out of sight: there, they open on request. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const isNarrow = useSyncExternalStore(watch, () => narrow.matches);
  if (!isNarrow) return children;
  return (
    <details className="fold">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
