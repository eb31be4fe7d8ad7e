import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { MomentInput } from '../../parts/moment-input.js';
import { type ContextSearch, usual } from './context-request.js';

const texts = [
  ['project', 'Project', 'found by itself'],
  ['vars', 'Variables', 'team_id=blue'],
] as const;

const limits = [
  ['tokens', 'Tokens for memories'],
  ['docs', 'Documents'],
  ['chars', 'Characters of documents'],
] as const;

const times = [
  ['as_of', 'True as of'],
  ['known_at', 'As known at'],
] as const;

/** Everything that is asked for is in the address. */
export function ContextForm({ profiles, profileId }: { profiles: readonly string[]; profileId: string }) {
  const search: ContextSearch = useSearch({ from: '/context' });
  const navigate = useNavigate({ from: '/context' });
  const id = useId();
  const set = (change: ContextSearch) => navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const names = [...texts, ...limits].map(([name]) => [name, given(name)]);
    navigate({ search: (all) => ({ ...all, q: given('q'), hint: given('hint'), ...Object.fromEntries(names) }) });
  };
  // What else is typed stays when one of the others is chosen.
  const typed = { ...search, profile: undefined, as_of: undefined, known_at: undefined };
  return (
    <search>
      <form onSubmit={submit} className="card card-body context-form" key={JSON.stringify(typed)}>
        <div className="field context-question">
          <label htmlFor={`${id}-q`}>Question</label>
          <input
            id={`${id}-q`}
            name="q"
            type="search"
            defaultValue={search.q}
            placeholder="What the memory is asked besides the documents"
          />
        </div>
        <div className="field context-question">
          <label htmlFor={`${id}-hint`}>What the conversation is about</label>
          <input
            id={`${id}-hint`}
            name="hint"
            defaultValue={search.hint}
            placeholder="Its last words, by which the project is found"
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-profile`}>Profile</label>
          <select id={`${id}-profile`} value={profileId} onChange={(event) => set({ profile: event.target.value })}>
            {profiles.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        {texts.map(([name, label, placeholder]) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <input id={`${id}-${name}`} name={name} defaultValue={search[name]} placeholder={placeholder} />
          </div>
        ))}
        {limits.map(([name, label]) => (
          <div className="field context-limit" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <input
              id={`${id}-${name}`}
              name={name}
              type="number"
              min={1}
              defaultValue={search[name]}
              placeholder={usual[name].toLocaleString('en')}
            />
          </div>
        ))}
        {times.map(([name, label]) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <MomentInput
              id={`${id}-${name}`}
              value={search[name]}
              onChange={(moment) => set({ [name]: moment || undefined })}
            />
          </div>
        ))}
        <button type="submit" className="button primary">
          Preview
        </button>
      </form>
    </search>
  );
}
