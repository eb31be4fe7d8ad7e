import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Badge } from '../../parts/badge.js';
import { Dialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { type Bound, fillTemplate, type Listed, templateOf, variablesOf } from './bindings.js';

/** A kind of document, with those that exist. */
export function BindingGroup({ bound, documents }: { bound: Bound; documents: readonly Listed[] }) {
  const { profile, binding } = bound;
  const [isNew, setNew] = useState(false);
  const template = templateOf(binding);
  const isOne = variablesOf(template).length === 0;
  const isReadOnly = binding.write_mode === 'read_only';
  const search = { profile: profile.profile_id };
  return (
    <li className="tree-binding">
      <div className="tree-binding-head">
        <span>{binding.binding_id}</span>
        <code className="small muted">{template}</code>
        <span className="small muted">
          {binding.schema_id} {binding.schema_version}
        </span>
        {isReadOnly && <Badge>read only</Badge>}
        {!isOne && !isReadOnly && (
          <button
            type="button"
            className="button small"
            aria-label={`New ${binding.binding_id}`}
            onClick={() => setNew(true)}
          >
            New…
          </button>
        )}
      </div>
      <ul>
        {documents.map((document) => (
          <DocumentRow key={document.path} document={document} profileId={profile.profile_id} />
        ))}
        {documents.length === 0 && (
          <li className="document-row">
            {isOne ? (
              <Link
                to="/documents/$namespace/$path"
                params={{ namespace: binding.namespace, path: template }}
                search={(all) => ({ user: all.user, ...search })}
                className="muted"
              >
                {template}
              </Link>
            ) : (
              <span className="muted">none</span>
            )}
            <span className="small muted">{isOne ? 'not written yet' : ''}</span>
          </li>
        )}
      </ul>
      {isNew && <NewDialog bound={bound} onClose={() => setNew(false)} />}
    </li>
  );
}

interface DocumentRowProps {
  document: Listed;
  profileId?: string;
  /** Shows the namespace too. */
  isNamed?: boolean;
}

export function DocumentRow({ document, profileId, isNamed = false }: DocumentRowProps) {
  const { namespace, path, version, size_chars: size, updated_at: updatedAt } = document;
  return (
    <li className="document-row" data-row>
      <Link
        to="/documents/$namespace/$path"
        params={{ namespace, path }}
        search={(all) => ({ user: all.user, ...(profileId !== undefined && { profile: profileId }) })}
      >
        <Text value={isNamed ? `${namespace}/${path}` : path} limit={200} />
      </Link>
      <span className="small muted number">version {version}</span>
      <span className="small muted number document-size">{size.toLocaleString('en')} characters</span>
      <span className="small muted number">
        <Time at={updatedAt} />
      </span>
    </li>
  );
}

/** Asks what the document is about: the parts of its path that its binding leaves open. */
function NewDialog({ bound: { profile, binding }, onClose }: { bound: Bound; onClose(): void }) {
  const navigate = useNavigate();
  const template = templateOf(binding);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const values = Object.fromEntries(variablesOf(template).map((name) => [name, String(form.get(name)).trim()]));
    navigate({
      to: '/documents/$namespace/$path',
      params: { namespace: binding.namespace, path: fillTemplate(template, values) },
      search: (all) => ({ user: all.user, profile: profile.profile_id }),
    });
  };
  return (
    <Dialog title={`New ${binding.binding_id}`} onClose={onClose}>
      <p className="muted">
        Its path is <code>{template}</code>. Nothing is written until you save it.
      </p>
      <form onSubmit={submit} className="stack">
        {variablesOf(template).map((name) => (
          <div className="field" key={name}>
            <label htmlFor={`new-${name}`}>{name}</label>
            <input id={`new-${name}`} name={name} required maxLength={256} autoComplete="off" />
          </div>
        ))}
        <div className="row">
          <button type="submit" className="button primary">
            Open
          </button>
        </div>
      </form>
    </Dialog>
  );
}
