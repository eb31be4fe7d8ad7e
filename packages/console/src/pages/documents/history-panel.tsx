import type { DocumentHistory } from '@memhall/client/operations';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useActing, useAll, useAsk } from '../../api/api.js';
import { Answer, Empty } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { type JsonObject, toText } from '../../parts/json-value.js';
import { LineDifference } from '../../parts/line-difference.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import type { Bound } from './bindings.js';
import { SaveDialog } from './save-dialog.js';

type Version = DocumentHistory['versions'][number];

const from = '/documents/$namespace/$path';

/** Every version of a document, with what changed in it. The slider goes through them. */
export function HistoryPanel({ bound }: { bound: Bound | undefined }) {
  const place = usePlace();
  const found = useAll('documents.history', { path: place, query: {} });
  return (
    <Answer of={found}>
      {({ pages, isCut }) => {
        const versions = pages.flatMap((page) => page.versions).reverse();
        if (versions.length === 0) return <Empty title="It has no history.">It has not been written yet.</Empty>;
        return (
          <>
            {isCut && <p className="note">Only the newest {versions.length} versions are shown.</p>}
            <Versions versions={versions} bound={bound} />
          </>
        );
      }}
    </Answer>
  );
}

function usePlace() {
  const { namespace, path } = useParams({ from });
  const { tenantId, userId } = useActing();
  return { tenant_id: tenantId, user_id: userId, namespace, path };
}

function Versions({ versions, bound }: { versions: readonly Version[]; bound: Bound | undefined }) {
  const { version: wanted, against } = useSearch({ from });
  const navigate = useNavigate({ from });
  const id = useId();
  const known = versions.findIndex(({ version }) => String(version) === wanted);
  const index = known === -1 ? versions.length - 1 : known;
  const shown = versions[index] as Version;
  const isAgainstNow = against === 'now';
  const show = (version: number) =>
    navigate({ search: (all) => ({ ...all, version: String(version) }), replace: true });
  return (
    <>
      <section className="card card-body stack" aria-label="Versions">
        <div className="slider">
          <label htmlFor={id}>
            Version {shown.version} of {versions.at(-1)?.version}
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={versions.length - 1}
            value={index}
            aria-valuetext={`Version ${shown.version}, ${shown.reason}, ${shown.at}`}
            onChange={(event) => show((versions[Number(event.target.value)] as Version).version)}
          />
          <span className="row">
            <button
              type="button"
              className="button small"
              data-shortcut="["
              disabled={index === 0}
              onClick={() => show((versions[index - 1] as Version).version)}
            >
              ‹ Older
            </button>
            <button
              type="button"
              className="button small"
              data-shortcut="]"
              disabled={index === versions.length - 1}
              onClick={() => show((versions[index + 1] as Version).version)}
            >
              Newer ›
            </button>
          </span>
        </div>
        <VersionFacts version={shown} />
        <div className="row">
          <button
            type="button"
            className="button small"
            aria-pressed={isAgainstNow}
            onClick={() =>
              navigate({ search: (all) => ({ ...all, against: isAgainstNow ? undefined : 'now' }), replace: true })
            }
          >
            Compare with now
          </button>
          <Link
            to={from}
            params={(all) => all as never}
            search={(all) => ({ ...all, at: shown.at, tab: undefined, version: undefined, against: undefined })}
            className="button small"
          >
            Show it as of this moment
          </Link>
          {bound !== undefined && bound.binding.write_mode !== 'read_only' && index < versions.length - 1 && (
            <Restore version={shown} bound={bound} />
          )}
        </div>
      </section>
      <Difference versions={versions} index={index} isAgainstNow={isAgainstNow} />
    </>
  );
}

function VersionFacts({ version }: { version: Version }) {
  const { at, actor, reason, confidence, evidence, redirected, request_id: requestId, etag } = version;
  return (
    <dl className="pairs">
      <dt>When</dt>
      <dd>
        <Time at={at} exact /> <Badge tone={reason === 'live_update' ? 'plain' : 'accent'}>{reason}</Badge>{' '}
        {redirected && <Badge tone="warn">stored as questions</Badge>}{' '}
        {etag === null && <Badge tone="danger">deleted</Badge>}
      </dd>
      <dt>Who</dt>
      <dd>
        <Text value={nameOf(actor)} limit={200} />
        {confidence !== null && <span className="muted"> · {Math.round(confidence * 100)} % sure</span>}
      </dd>
      {evidence !== null && (
        <>
          <dt>Evidence</dt>
          <dd>
            <code>
              <Text value={JSON.stringify(evidence)} limit={600} />
            </code>
          </dd>
        </>
      )}
      <dt>Request</dt>
      <dd>
        <code>
          <Text value={requestId} limit={128} />
        </code>
      </dd>
    </dl>
  );
}

function nameOf(actor: unknown): string {
  const { user_id: user, service_id: service, roles } = (actor ?? {}) as Record<string, unknown>;
  const names = [user, service].filter((name) => typeof name === 'string' && name !== '');
  const held = Array.isArray(roles) && roles.length > 0 ? ` (${roles.join(', ')})` : '';
  return `${names.join(' through ') || 'nobody who is known'}${held}`;
}

function useContent(version: Version | undefined) {
  const path = usePlace();
  const isThere = version !== undefined && version.etag !== null;
  return useAsk('documents.get', { path, query: { at: version?.at } }, { enabled: isThere, keepPrevious: true });
}

interface DifferenceProps {
  versions: readonly Version[];
  index: number;
  isAgainstNow: boolean;
}

function Difference({ versions, index, isAgainstNow }: DifferenceProps) {
  const shown = versions[index];
  const other = isAgainstNow ? versions.at(-1) : versions[index - 1];
  const [own, compared] = [useContent(shown), useContent(other)];
  const title = isAgainstNow ? 'What changed since' : 'What it changed';
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        <span className="small muted">
          {isAgainstNow
            ? `from version ${shown?.version} to version ${other?.version}`
            : other === undefined
              ? 'from nothing'
              : `from version ${other.version} to version ${shown?.version}`}
        </span>
      </header>
      <div className="card-body">
        <Contents version={shown} of={own}>
          {(text) => (
            <Contents version={other} of={compared}>
              {(otherText) => (
                <LineDifference
                  before={isAgainstNow ? text : otherText}
                  after={isAgainstNow ? otherText : text}
                  label={title}
                />
              )}
            </Contents>
          )}
        </Contents>
      </div>
    </section>
  );
}

interface ContentsProps {
  version: Version | undefined;
  of: ReturnType<typeof useContent>;
  children(text: string): React.ReactNode;
}

function Contents({ version, of, children }: ContentsProps) {
  if (version === undefined || version.etag === null) return children('');
  return <Answer of={of}>{({ document }) => children(toText(document.content as JsonObject))}</Answer>;
}

function Restore({ version, bound }: { version: Version; bound: Bound }) {
  const place = usePlace();
  const [isOpen, setOpen] = useState(false);
  const then = useContent(version);
  const now = useAsk('documents.get', { path: place, query: {} });
  const isReady = then.data !== undefined && !then.isPlaceholderData && now.data !== undefined;
  return (
    <>
      <button type="button" className="button small" disabled={!isReady} onClick={() => setOpen(true)}>
        Restore…
      </button>
      {isOpen && then.data !== undefined && now.data !== undefined && (
        <SaveDialog
          title={`Restore version ${version.version}?`}
          action="Restore"
          done={`Restored: it is as it was in version ${version.version}.`}
          place={place}
          change={{
            bound,
            base: { etag: now.data.etag, content: now.data.document.content as JsonObject },
            target: then.data.document.content as JsonObject,
          }}
          onSaved={() => setOpen(false)}
          onConflict={() => {
            throw new Error('Somebody else wrote meanwhile. Close this, look at their version, and restore again.');
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
