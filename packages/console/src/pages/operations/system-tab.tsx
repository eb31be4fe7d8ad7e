import type { Operations } from '@memhall/client/operations';
import type { ReactNode } from 'react';
import { useAsk } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Progress } from '../../parts/progress.js';
import { Text } from '../../parts/text.js';

type Health = Operations['health.get']['answer'];

const refetchMs = 5000;

/** The parts of the server: what they are, and whether they work. */
export function SystemTab() {
  const health = useAsk('health.get', { path: {} }, { refetchMs });
  return (
    <>
      <Answer of={health}>
        {(found) => (
          <div className="parts">
            <DatabaseCard health={found} />
            <EmbedderCard health={found} />
            <PluginCard health={found} />
            <AuditCard health={found} />
          </div>
        )}
      </Answer>
      <Quotas />
    </>
  );
}

function Part({
  title,
  state,
  children,
}: {
  title: string;
  state?: { label: string; tone: Tone };
  children: ReactNode;
}) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {state !== undefined && <Badge tone={state.tone}>{state.label}</Badge>}
      </header>
      <div className="card-body stack tight">{children}</div>
    </section>
  );
}

function Pairs({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="pairs">
      {of.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DatabaseCard({ health: { database, version, backend } }: { health: Health }) {
  const state = { label: backend.status, tone: backend.status === 'ok' ? ('ok' as const) : ('danger' as const) };
  return (
    <Part title="Database" state={state}>
      <Pairs
        of={[
          ['Memhall', version],
          ...(database === undefined
            ? []
            : [
                ['Kind', database.kind] as const,
                ['PostgreSQL', `${database.server_version}, pgvector ${database.vector_version}`] as const,
                ['Schema', database.schema_version] as const,
                ['Size', `${(database.size_bytes / 1_048_576).toFixed(0)} MB`] as const,
              ]),
        ]}
      />
    </Part>
  );
}

const readiness: Record<'ready' | 'starting' | 'failed', Tone> = { ready: 'ok', starting: 'warn', failed: 'danger' };

/** The embedder, and how far the memories of its predecessor are embedded again. */
function EmbedderCard({ health: { embedder, reranker, indexing } }: { health: Health }) {
  if (embedder == null) {
    return (
      <Part title="Embedder" state={{ label: 'off', tone: 'plain' }}>
        <p>Recall matches words only. Set MEMHALL_EMBEDDER for meaning.</p>
      </Part>
    );
  }
  return (
    <Part title="Embedder" state={{ label: embedder.status, tone: readiness[embedder.status] }}>
      <Pairs
        of={[
          ['Model', embedder.model],
          ['Kind', `${embedder.kind}, ${embedder.dimension} dimensions`],
          ['Runs in', embedder.runtime],
          ...(reranker === undefined ? [] : [['Reranker', `${reranker.model}, ${reranker.status}`] as const]),
        ]}
      />
      {embedder.note !== undefined && <p className="note">{embedder.note}</p>}
      {indexing !== undefined && <Embedding indexing={indexing} />}
    </Part>
  );
}

/** All memories are counted only while there is something to wait for. */
function Embedding({ indexing: { waiting, lag_seconds: lag } }: { indexing: NonNullable<Health['indexing']> }) {
  const isBusy = waiting > 0;
  const tenants = useAsk('tenants.list', { path: {}, query: { limit: 100 } }, { enabled: isBusy, refetchMs });
  if (!isBusy) return <p className="small muted">Every memory has its vector of this model.</p>;
  const isAll = tenants.data !== undefined && tenants.data.next_cursor === undefined;
  const total = isAll ? tenants.data.tenants.reduce((sum, { memories }) => sum + memories, 0) : undefined;
  return (
    <div className="stack tight">
      <Progress label="Embedded memories" done={(total ?? 0) - waiting} total={total} />
      <p className="small">
        {waiting.toLocaleString('en')} {total !== undefined && `of ${total.toLocaleString('en')} `}
        memories wait for their vector or word forms, the oldest for {Math.round(lag)} s. Recall finds them by what they
        have meanwhile.
      </p>
    </div>
  );
}

const circuits: Record<'closed' | 'open' | 'half-open', { tone: Tone; says: string }> = {
  closed: { tone: 'ok', says: 'Calls reach it.' },
  open: {
    tone: 'danger',
    says: 'It kept failing, so it is not called for a while, and recall answers without its memories.',
  },
  'half-open': { tone: 'warn', says: 'It failed before. One call tries whether it works again.' },
};

function PluginCard({ health: { memory_plugin: plugin, event_index: index } }: { health: Health }) {
  const circuit = plugin && circuits[plugin.circuit];
  return (
    <Part
      title="Plugins"
      state={
        plugin === undefined
          ? { label: 'built-in', tone: 'plain' }
          : { label: plugin.status, tone: plugin.status === 'ok' ? 'ok' : 'warn' }
      }
    >
      {plugin === undefined || circuit === undefined ? (
        <p className="muted">The built-in memory plugin is in use. MEMORY_PLUGIN_URL names another one.</p>
      ) : (
        <>
          <Pairs
            of={[
              [
                'Circuit',
                <Badge key="circuit" tone={circuit.tone}>
                  {plugin.circuit}
                </Badge>,
              ],
              ['Capabilities', plugin.capabilities.join(', ') || 'none reported'],
            ]}
          />
          <p className="small">{circuit.says}</p>
          {plugin.problem !== undefined && <p className="note warn">{plugin.problem}</p>}
        </>
      )}
      {index !== undefined && (
        <Pairs
          of={[
            ['Event index', <Text key="address" value={index.address} limit={200} />],
            ['State', `${index.status}, lacks ${index.waiting.toLocaleString('en')} events`],
          ]}
        />
      )}
    </Part>
  );
}

function AuditCard({ health: { audit_log: log, token_revocations: revocations } }: { health: Health }) {
  return (
    <Part title="Audit log and tokens">
      <Pairs
        of={[
          ...(log === undefined
            ? []
            : [
                ['Not signed yet', `${log.unsigned_records.toLocaleString('en')} records`] as const,
                ['Witness', log.witness ?? 'none: MEMHALL_AUDIT_WITNESS is not set'] as const,
                ...(log.witness === null
                  ? []
                  : [['It lacks', `${log.waiting_heads} heads, for ${Math.round(log.waiting_seconds)} s`] as const]),
              ]),
          ...(revocations === undefined
            ? []
            : [
                ['Revoked tokens', `${revocations.entries}, read ${revocations.age_seconds.toFixed(1)} s ago`] as const,
              ]),
        ]}
      />
    </Part>
  );
}

function Quotas() {
  const quotas = useAsk('quotas.list', { path: {} }, { refetchMs });
  return (
    <section className="card" aria-labelledby="quotas-title">
      <header className="card-head">
        <h2 id="quotas-title">Quotas</h2>
        <span className="small muted">requests per minute of all nodes, refusals of this process</span>
      </header>
      <Answer of={quotas}>
        {({ quotas: rows }) => (
          <ul>
            {rows.map(({ scope, limit, refused }) => (
              <li key={scope} className="operations-row">
                <span>{scope === 'tokenless' ? 'all without a token' : `each ${scope}`}</span>
                <span className="row">
                  {refused > 0 && <Badge tone="warn">{refused.toLocaleString('en')} refused</Badge>}
                  <span className="number">{limit === null ? 'no limit' : limit.toLocaleString('en')}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </section>
  );
}
