import type { AnyMemory } from '@memhall/client/operations';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

/** Where a memory comes from, and everything else that is known about it. */
export function OriginPairs({ memory }: { memory: AnyMemory }) {
  const { origin } = memory;
  return (
    <dl className="pairs">
      <Pair name="Written">
        through {origin.surface}
        {origin.author !== '' && (
          <>
            {' '}
            by <Text value={origin.author} limit={120} />
          </>
        )}
        {origin.role !== undefined && <> as {origin.role}</>}
      </Pair>
      <Pair name="Happened">
        <Time at={memory.occurred_at} exact />
      </Pair>
      <Pair name="Recorded">
        <Time at={memory.recorded_at} exact />
      </Pair>
      {memory.updated_at !== memory.recorded_at && (
        <Pair name="Changed">
          <Time at={memory.updated_at} exact />
        </Pair>
      )}
      {memory.expires_at !== null && (
        <Pair name="Expires">
          <Time at={memory.expires_at} exact />
        </Pair>
      )}
      {memory.session_id !== null && (
        <Pair name="Session">
          <Link to="/conversations/$id" params={{ id: memory.session_id }}>
            <Text value={memory.session_id} limit={256} />
          </Link>
        </Pair>
      )}
      {memory.namespace !== null && <Pair name="Namespace">{memory.namespace}</Pair>}
      {memory.public && <Pair name="Read by">everybody in the tenant</Pair>}
      {memory.external_id !== null && (
        <Pair name="External id">
          <Text value={memory.external_id} limit={255} />
        </Pair>
      )}
      {origin.document !== undefined && (
        <Pair name="Document">
          <Link
            to="/documents/$namespace/$path"
            params={{ namespace: origin.document.namespace, path: origin.document.path }}
          >
            <Text value={`${origin.document.namespace}/${origin.document.path}`} limit={300} />
          </Link>{' '}
          at <code>{origin.document.pointer}</code>
        </Pair>
      )}
      {origin.resource !== undefined && (
        <Pair name="File">
          <Text value={origin.resource.title ?? origin.resource.resource_id} limit={200} />
        </Pair>
      )}
      {origin.tier !== undefined && (
        <Pair name="Note">
          {origin.tier.owner}/{origin.tier.label}
        </Pair>
      )}
      {memory.tags.length > 0 && (
        <Pair name="Tags">
          <Text value={memory.tags.join(', ')} limit={1000} />
        </Pair>
      )}
      {Object.keys(memory.metadata).length > 0 && (
        <Pair name="Metadata">
          <pre>
            <Text value={JSON.stringify(memory.metadata, null, 2)} limit={4000} />
          </pre>
        </Pair>
      )}
    </dl>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
