import { MemhallError } from '@memhall/client/operations';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useRef } from 'react';
import { useActing, useAsk } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ErrorNote } from '../../parts/error-note.js';
import { MomentInput } from '../../parts/moment-input.js';
import { Page } from '../../parts/page.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { type Bound, findBound } from './bindings.js';
import './documents.css';
import { type JsonObject, toText } from '../../parts/json-value.js';
import { DocumentEditor } from './document-editor.js';
import { DocumentReader } from './document-reader.js';
import { HistoryPanel } from './history-panel.js';
import { useProfiles } from './use-profiles.js';

/** One document: as it is, as it was at a moment, and all that happened to it. */
export function DocumentPage() {
  const { namespace, path } = useParams({ from: '/documents/$namespace/$path' });
  const { profile: profileId, at, tab } = useSearch({ from: '/documents/$namespace/$path' });
  const navigate = useNavigate({ from: '/documents/$namespace/$path' });
  const { profiles, error: profilesError } = useProfiles();
  const bound = profiles && findBound(profiles, { namespace, path }, profileId);
  const shown = tab === 'history' ? 'history' : 'content';
  return (
    <Page
      title={`${namespace}/${path}`}
      lead={bound === undefined ? undefined : <BoundLine bound={bound} />}
      actions={
        <div className="row">
          <label htmlFor="as-of" className="small muted">
            As it was at
          </label>
          <MomentInput
            id="as-of"
            value={at}
            onChange={(moment) =>
              navigate({
                search: (all) => ({ ...all, at: moment || undefined, tab: undefined }),
                replace: true,
              })
            }
          />
        </div>
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) =>
          navigate({ search: (all) => ({ ...all, tab: next === 'history' ? next : undefined }) })
        }
      >
        <Tabs.List className="tabs" aria-label="Views">
          <Tabs.Trigger value="content" className="tab">
            {at === undefined ? 'Now' : 'As it was'}
          </Tabs.Trigger>
          <Tabs.Trigger value="history" className="tab" data-shortcut="h">
            History
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value={shown} className="stack document-panel">
          {profilesError !== null && <ErrorNote error={profilesError} />}
          {profiles === undefined && profilesError === null && <Waiting />}
          {profiles !== undefined && shown === 'history' && <HistoryPanel bound={bound} />}
          {profiles !== undefined &&
            shown === 'content' &&
            (at === undefined ? <Now bound={bound} /> : <Then at={at} />)}
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}

function BoundLine({ bound: { profile, binding } }: { bound: Bound }) {
  return (
    <>
      {binding.binding_id} of {profile.profile_id} · schema {binding.schema_id} {binding.schema_version}
      {binding.max_chars !== undefined && <> · at most {binding.max_chars.toLocaleString('en')} characters</>}
    </>
  );
}

function usePlace() {
  const { namespace, path } = useParams({ from: '/documents/$namespace/$path' });
  const { tenantId, userId } = useActing();
  return { tenant_id: tenantId, user_id: userId, namespace, path };
}

function Now({ bound }: { bound: Bound | undefined }) {
  const path = usePlace();
  const query = bound === undefined ? {} : { profile_id: bound.profile.profile_id };
  const found = useAsk('documents.get', { path, query });
  const isMissing = useRef(false);
  // It stays missing while it is asked for again, so that what a person has typed into it stays too.
  if (found.data !== undefined) isMissing.current = false;
  else if (found.error instanceof MemhallError) isMissing.current = found.error.code === 'DOCUMENT_NOT_FOUND';
  if (isMissing.current) {
    if (bound === undefined || bound.binding.write_mode === 'read_only')
      return <Empty title="There is no such document." />;
    const begun = (bound.binding.initial ?? {}) as JsonObject;
    return (
      <>
        <p className="note">It does not exist yet. It begins with what its profile says; saving it creates it.</p>
        <DocumentEditor key="new" place={path} bound={bound} current={{ etag: null, content: begun }} />
      </>
    );
  }
  return (
    <Answer of={found}>
      {({ etag, document, stale = [], migrated_from: migratedFrom }) => (
        <>
          <p className="small muted row">
            <span>
              Last changed by <Text value={document.updated_by} limit={128} />, <Time at={document.updated_at} exact />
            </span>
            <CopyButton label="Copy JSON" text={() => toText(document.content as JsonObject)} />
          </p>
          {migratedFrom !== undefined && (
            <p className="note">
              Read from its older place <Text value={migratedFrom} />. What you save is written to this one.
            </p>
          )}
          {stale.length > 0 && (
            <div className="note warn stack tight">
              <p>
                {stale.length === 1 ? 'A fact is' : `${stale.length} facts are`} stale: confirm before anyone relies on
                it.
              </p>
              <ul>
                {stale.map((fact) => (
                  <li key={fact.path}>
                    <code>
                      <Text value={fact.path} limit={200} />
                    </code>{' '}
                    <Badge tone="warn">{fact.reason.replaceAll('_', ' ')}</Badge> since <Time at={fact.since} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          {bound === undefined || bound.binding.write_mode === 'read_only' ? (
            <DocumentReader content={document.content as JsonObject} why="It can only be read here." />
          ) : (
            <DocumentEditor place={path} bound={bound} current={{ etag, content: document.content as JsonObject }} />
          )}
        </>
      )}
    </Answer>
  );
}

function Then({ at }: { at: string }) {
  const path = usePlace();
  const navigate = useNavigate({ from: '/documents/$namespace/$path' });
  const found = useAsk('documents.get', { path, query: { at } });
  return (
    <>
      <p className="note warn row">
        <span>
          As it was at <Time at={at} exact />.
        </span>
        <button
          type="button"
          className="button small"
          onClick={() => navigate({ search: (all) => ({ ...all, at: undefined }) })}
        >
          Back to now
        </button>
      </p>
      <Answer of={found}>
        {({ document }) => (
          <>
            <p className="small muted">
              Last changed by <Text value={document.updated_by} limit={128} />, <Time at={document.updated_at} exact />
            </p>
            <DocumentReader
              content={document.content as JsonObject}
              why="To bring it back, restore it in its history."
            />
          </>
        )}
      </Answer>
    </>
  );
}
