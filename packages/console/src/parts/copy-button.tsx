import { useTell } from './toasts.js';

export function CopyButton({ label, text }: { label: string; text(): string }) {
  const tell = useTell();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      tell('Copied.');
    } catch {
      tell('The browser does not allow copying here.', { tone: 'danger' });
    }
  };
  return (
    <button type="button" className="button small" onClick={copy}>
      {label}
    </button>
  );
}
