import { useNavigate, useSearch } from '@tanstack/react-router';
import { useActing, useAll } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { isBoundTo, type Listed, type NamedProfile } from './bindings.js';
import './documents.css';
import { BindingGroup, DocumentRow } from './binding-group.js';
import { useProfiles } from './use-profiles.js';

/** The documents of a user, as the profiles of the tenant arrange them. */
export function DocumentsPage() {
  const { profile: chosen } = useSearch({ from: '/documents' });
  const navigate = useNavigate({ from: '/documents' });
  const { tenantId, userId, isOther } = useActing();
  const { profiles, isError, error } = useProfiles();
  const found = useAll('documents.list', { path: { tenant_id: tenantId, user_id: userId }, query: {} });
  const shown = profiles?.filter(({ profile_id: id }) => chosen === undefined || id === chosen);
  return (
    <Page
      title="Documents"
      lead={`What agents keep up to date about ${isOther ? userId : 'you'}: each with its schema, its rules and its history.`}
      actions={
        profiles !== undefined && profiles.length > 1 ? (
          <select
            aria-label="Profile"
            value={chosen ?? ''}
            onChange={(event) => navigate({ search: (all) => ({ ...all, profile: event.target.value }) })}
          >
            <option value="">all profiles</option>
            {profiles.map(({ profile_id: id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        ) : undefined
      }
    >
      {isError && <ErrorNote error={error} />}
      {shown === undefined && !isError && <Waiting />}
      <Answer of={found}>
        {({ pages, isCut }) => {
          const documents = pages.flatMap((page) => page.documents);
          return (
            <>
              {isCut && <p className="note">Only the first {documents.length} documents are shown.</p>}
              {shown?.map((profile) => (
                <ProfileTree key={profile.profile_id} profile={profile} documents={documents} />
              ))}
              {profiles !== undefined && chosen === undefined && (
                <Unbound documents={documents.filter((one) => !isBoundByAny(profiles, one))} />
              )}
              {shown?.length === 0 && <Empty title="There is no such profile." />}
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function isBoundByAny(profiles: readonly NamedProfile[], document: Listed): boolean {
  return profiles.some(({ document_bindings: bindings }) => bindings.some((binding) => isBoundTo(binding, document)));
}

function ProfileTree({ profile, documents }: { profile: NamedProfile; documents: readonly Listed[] }) {
  const { profile_id: id, document_bindings: bindings } = profile;
  const namespaces = [...new Set(bindings.map(({ namespace }) => namespace))];
  return (
    <section className="card" aria-label={`Profile ${id}`}>
      <header className="card-head">
        <h2>{id}</h2>
        <span className="small muted">
          {bindings.length} {bindings.length === 1 ? 'kind of document' : 'kinds of documents'}
        </span>
      </header>
      <ul className="tree">
        {namespaces.map((namespace) => (
          <li key={namespace}>
            <h3 className="tree-folder">{namespace}/</h3>
            <ul>
              {bindings
                .filter((binding) => binding.namespace === namespace)
                .map((binding) => (
                  <BindingGroup
                    key={binding.binding_id}
                    bound={{ profile, binding }}
                    documents={documents.filter((document) => isBoundTo(binding, document))}
                  />
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unbound({ documents }: { documents: readonly Listed[] }) {
  if (documents.length === 0) return null;
  return (
    <section className="card" aria-label="Without a profile">
      <header className="card-head">
        <h2>Without a profile</h2>
        <span className="small muted">No profile says how they are written, so they can only be read.</span>
      </header>
      <ul className="tree">
        {documents.map((document) => (
          <DocumentRow key={`${document.namespace}/${document.path}`} document={document} isNamed />
        ))}
      </ul>
    </section>
  );
}
