import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { Fold } from '../../parts/fold.js';
import { MomentInput } from '../../parts/moment-input.js';

const texts = [
  ['target', 'Changed object', 'memory/note/… or documents/…'],
  ['operation', 'Operation', 'memory.forget'],
  ['author', 'Who', 'user or service'],
] as const;

/** Returns the filter that the address has, as the server takes it. */
export function useAuditFilter() {
  const { target, operation, author, from, to } = useSearch({ from: '/governance' });
  return {
    ...(target && { target }),
    ...(operation && { operation }),
    ...(author && { author }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** What to list of a chain. Everything is in the address. */
export function AuditFilters({ children }: { children?: ReactNode }) {
  return (
    <div className="audit-head">
      <Fold title="Filters">
        <Filters />
      </Fold>
      {children}
    </div>
  );
}

function Filters() {
  const search = useSearch({ from: '/governance' });
  const navigate = useNavigate({ from: '/governance' });
  const id = useId();
  const set = (change: Partial<typeof search>) => navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <search className="audit-filters">
      {texts.map(([name, label, example]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <input
            key={search[name] ?? ''}
            id={`${id}-${name}`}
            placeholder={example}
            defaultValue={search[name] ?? ''}
            onBlur={(event) => set({ [name]: event.target.value.trim() })}
            onKeyDown={(event) => event.key === 'Enter' && set({ [name]: event.currentTarget.value.trim() })}
          />
        </div>
      ))}
      {(['from', 'to'] as const).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{name === 'from' ? 'From' : 'Until'}</label>
          <MomentInput id={`${id}-${name}`} value={search[name]} onChange={(moment) => set({ [name]: moment })} />
        </div>
      ))}
    </search>
  );
}
