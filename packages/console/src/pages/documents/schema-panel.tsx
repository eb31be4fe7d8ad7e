import { Badge } from '../../parts/badge.js';
import type { Json } from '../../parts/json-value.js';
import { Text } from '../../parts/text.js';
import { type Bound, isWritable, writablePlaces } from './bindings.js';
import { describeSchema, descriptionOf, membersAt } from './schema-at.js';

const deepest = 3;

/** What may be in the document, and what may be changed, in words. */
export function SchemaPanel({ schema, bound }: { schema: Json | undefined; bound: Bound }) {
  if (schema === undefined) return null;
  return (
    <details className="card schema-panel">
      <summary>What may be here</summary>
      <div className="card-body">
        <Members schema={schema} root={schema} place={[]} bound={bound} />
      </div>
    </details>
  );
}

interface MembersProps {
  schema: Json;
  root: Json;
  place: readonly string[];
  bound: Bound;
}

function Members({ schema, root, place, bound }: MembersProps) {
  const members = membersAt(root, place);
  if (members.length === 0 || place.length > deepest) return null;
  return (
    <ul className="schema-members">
      {members.map(({ name, schema: inner, isRequired }) => {
        const description = descriptionOf(root, inner);
        const path = [...place, name];
        const items = membersAt(root, [...path, '0']);
        return (
          <li key={name}>
            <code>{name}</code>{' '}
            <span className="small muted">
              {describeSchema(root, inner)}
              {items.length > 0 && ' of objects'}
            </span>{' '}
            {isRequired && <Badge>required</Badge>}{' '}
            {place.length === 0 && <Writable bound={bound} pointer={`/${name}`} />}
            {description !== undefined && (
              <p className="small">
                <Text value={description} limit={400} />
              </p>
            )}
            <Members schema={schema} root={root} place={items.length > 0 ? [...path, '0'] : path} bound={bound} />
          </li>
        );
      })}
    </ul>
  );
}

function Writable({ bound, pointer }: { bound: Bound; pointer: string }) {
  const place = writablePlaces(bound).find((one) => one.pointer === pointer);
  if (place?.isInstructions) return <Badge tone="accent">instructions of the user</Badge>;
  if (isWritable(bound, pointer)) return <Badge tone="ok">writable</Badge>;
  const isPartly = writablePlaces(bound).some((one) => one.pointer.startsWith(`${pointer}/`));
  return <Badge>{isPartly ? 'partly writable' : 'only by replacing the document'}</Badge>;
}
