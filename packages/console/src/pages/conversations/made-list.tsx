import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.js';
import { OperationList, type ShownOperation } from '../../parts/operation-list.js';
import { Text } from '../../parts/text.js';
import { PatchItem } from '../inbox/patch-item.js';
import { statusTones } from '../subjects/fact-row.js';
import type { Made } from './turns.js';

/** What was extracted: facts, texts that were kept, versions of documents, and patches that wait. */
export function MadeList({ made: { learned, facts, patches, unresolved } }: { made: Made }) {
  return (
    <ul className="made">
      {facts.map(({ fact_id: id, subject, attribute, value, status }) => (
        <li key={id}>
          <Badge tone={statusTones[status]}>fact · {status}</Badge>{' '}
          <Link to="/subjects/$subject" params={{ subject }}>
            <Text value={subject} limit={80} />
          </Link>{' '}
          <Text value={attribute} limit={100} />{' '}
          <strong>
            <Text value={value} limit={300} />
          </strong>
        </li>
      ))}
      {learned.map(({ memory_id: id, text, confidence }) => (
        <li key={id}>
          <Badge tone="accent">kept</Badge>{' '}
          <Link to="/memories/$id" params={{ id }}>
            <Text value={text} limit={300} />
          </Link>
          {confidence !== null && <span className="small muted"> {Math.round(confidence * 100)} % sure</span>}
        </li>
      ))}
      {patches.map((patch) => (
        <li key={`${patch.namespace}/${patch.path}/${patch.version}`}>
          <details>
            <summary>
              <Badge tone="ok">{patch.redirected ? 'pending' : 'applied'}</Badge>{' '}
              <Text value={`${patch.namespace}/${patch.path}`} limit={200} /> version {patch.version}
              {patch.confidence !== null && (
                <span className="small muted"> {Math.round(patch.confidence * 100)} % sure</span>
              )}
            </summary>
            <OperationList operations={patch.ops as ShownOperation[]} />
            <Link
              to="/documents/$namespace/$path"
              params={{ namespace: patch.namespace, path: patch.path }}
              search={(all) => ({ user: all.user, tab: 'history', version: String(patch.version) })}
            >
              See it in the history
            </Link>
          </details>
        </li>
      ))}
      {unresolved.map((patch) => (
        <li key={patch.patch_id}>
          <PatchItem patch={patch} />
        </li>
      ))}
    </ul>
  );
}
