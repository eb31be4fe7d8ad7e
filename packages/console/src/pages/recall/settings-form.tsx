import { useId } from 'react';
import { MomentInput } from '../../parts/moment-input.js';
import { kinds, type RecallSettings, scopes } from './recall-settings.js';

const comparisons = {
  both: { label: 'words and meaning', settings: { match: '', rerank: '', embedder: '' } },
  unranked: { label: 'both, without the reranker', settings: { match: '', rerank: '0', embedder: '' } },
  words: { label: 'words only', settings: { match: 'words', rerank: '', embedder: '' } },
  meaning: { label: 'meaning only', settings: { match: 'meaning', rerank: '', embedder: '' } },
  compared: { label: 'both, with the other embedder', settings: { match: '', rerank: '', embedder: 'compared' } },
} as const;
type Comparison = keyof typeof comparisons;

function comparisonOf({ match, rerank, embedder }: RecallSettings): string {
  if (embedder === 'compared') return embedder;
  return rerank === '0' ? 'unranked' : (match ?? 'both');
}

interface SettingsFormProps {
  label: string;
  /** Whether the name can be seen. */
  isNamed?: boolean;
  settings: RecallSettings;
  onChange(settings: RecallSettings): void;
}

export function SettingsForm({ label, isNamed = false, settings, onChange }: SettingsFormProps) {
  const id = useId();
  const set = (change: RecallSettings) => onChange({ ...settings, ...change });
  const chosen = settings.scopes?.split(',') ?? scopes;
  const chosenKinds = settings.kinds?.split(',') ?? [];
  const toggleScope = (scope: string, isOn: boolean) => {
    const next = scopes.filter((one) => (one === scope ? isOn : chosen.includes(one)));
    set({ scopes: next.length === scopes.length ? '' : next.join(',') });
  };
  const toggleKind = (kind: string, isOn: boolean) =>
    set({ kinds: kinds.filter((one) => (one === kind ? isOn : chosenKinds.includes(one))).join(',') });
  return (
    <fieldset className="recall-settings">
      <legend className={isNamed ? 'label' : 'visually-hidden'}>{label}</legend>
      <div className="field">
        <label htmlFor={`${id}-limit`}>Results</label>
        <select
          id={`${id}-limit`}
          value={settings.limit ?? '10'}
          onChange={(event) => set({ limit: event.target.value })}
        >
          {['5', '10', '25', '50', '100'].map((limit) => (
            <option key={limit}>{limit}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-match`}>Match by</label>
        <select
          id={`${id}-match`}
          value={comparisonOf(settings)}
          onChange={(event) => set(comparisons[event.target.value as Comparison].settings)}
        >
          {Object.entries(comparisons).map(([name, { label: text }]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <fieldset>
        <legend className="label">Scopes</legend>
        <div className="row scopes">
          {scopes.map((scope) => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                disabled={chosen.length === 1 && chosen.includes(scope)}
                onChange={(event) => toggleScope(scope, event.target.checked)}
              />
              {scope}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="field">
        <label htmlFor={`${id}-as-of`} title="What was true at this time">
          True as of
        </label>
        <MomentInput id={`${id}-as-of`} value={settings.as_of} onChange={(moment) => set({ as_of: moment })} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-known-at`} title="What was known at this time">
          As known at
        </label>
        <MomentInput id={`${id}-known-at`} value={settings.known_at} onChange={(moment) => set({ known_at: moment })} />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.superseded === '1'}
          onChange={(event) => set({ superseded: event.target.checked ? '1' : '' })}
        />
        with what is no longer true
      </label>
      <details className="kinds">
        <summary>Kinds: {chosenKinds.length === 0 ? 'all' : chosenKinds.join(', ')}</summary>
        <div className="row">
          {kinds.map((kind) => (
            <label key={kind} className="check">
              <input
                type="checkbox"
                checked={chosenKinds.includes(kind)}
                onChange={(event) => toggleKind(kind, event.target.checked)}
              />
              {kind}
            </label>
          ))}
        </div>
      </details>
    </fieldset>
  );
}
