import { useEffect, useState } from 'react';
import { useActing, useAsk } from '../../api/api.js';
import { Badge } from '../../parts/badge.js';
import { isObject, isSame, type Json, type JsonObject, toText } from '../../parts/json-value.js';
import type { Bound } from './bindings.js';
import { JsonEditor } from './json-editor.js';
import { MergePanel } from './merge-panel.js';
import { SaveDialog } from './save-dialog.js';
import type { DocumentState } from './save-document.js';
import { contentChecker, type Fault } from './schema-faults.js';
import { SchemaPanel } from './schema-panel.js';

interface DocumentEditorProps {
  place: { tenant_id: string; user_id: string; namespace: string; path: string };
  bound: Bound;
  /** As the server has it. Changes while somebody else writes. */
  current: DocumentState;
}

/** Edits the content of a document. What a person typed is never lost to what somebody else wrote meanwhile: both are shown. */
export function DocumentEditor({ place, bound, current }: DocumentEditorProps) {
  const { tenantId } = useActing();
  const { schema_id: schemaId, schema_version: version } = bound.binding;
  const asked = useAsk('schemas.get', { path: { tenant_id: tenantId, schema_id: schemaId, version } });
  const schema = asked.data?.schema as Json | undefined;
  const [base, setBase] = useState(current);
  const [text, setText] = useState(() => toText(current.content));
  const [isSaving, setSaving] = useState(false);
  const mine = parse(text);
  const isChanged = mine === undefined || !isSame(mine, base.content);
  const begin = (state: DocumentState, content: JsonObject = state.content) => {
    setBase(state);
    setText(toText(content));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the server has decides when to begin again
  useEffect(() => {
    if (!isChanged && current.etag !== base.etag) begin(current);
  }, [current.etag]);
  const isBehind = isChanged && !isSaving && current.etag !== base.etag;
  const faults = schema === undefined || mine === undefined ? [] : check(schema, mine);
  return (
    <>
      {isBehind && (
        <MergePanel
          base={base.content}
          mine={mine}
          theirs={current.content}
          onDecided={(content) => begin(current, content)}
        />
      )}
      <section className="card" aria-label="Content">
        <header className="card-head editor-head">
          <h2>Content</h2>
          <span className="row">
            <State mine={mine} isChanged={isChanged} faults={faults} />
            <button
              type="button"
              className="button small"
              disabled={mine === undefined}
              onClick={() => setText(toText(mine))}
            >
              Format
            </button>
            <button type="button" className="button small" disabled={!isChanged} onClick={() => begin(current)}>
              Start over
            </button>
            <button
              type="button"
              className="button small primary"
              data-shortcut="s"
              disabled={mine === undefined || !isChanged || isBehind}
              onClick={() => setSaving(true)}
            >
              Save…
            </button>
          </span>
        </header>
        <JsonEditor label={`Content of ${place.path}, as JSON`} text={text} onText={setText} schema={schema} />
        <Faults text={text} faults={faults} />
      </section>
      <SchemaPanel schema={schema} bound={bound} />
      {isSaving && mine !== undefined && (
        <SaveDialog
          title={base.etag === null ? 'Create this document?' : 'Save this change?'}
          action={base.etag === null ? 'Create' : 'Save'}
          done={base.etag === null ? 'Created.' : 'Saved as a new version.'}
          place={place}
          change={{ bound, base, target: mine }}
          onSaved={(etag, content) => begin({ etag, content })}
          onConflict={() => setSaving(false)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

function State({ mine, isChanged, faults }: { mine: Json | undefined; isChanged: boolean; faults: readonly Fault[] }) {
  return (
    <span role="status">
      {mine === undefined ? (
        <Badge tone="danger">not a JSON object</Badge>
      ) : faults.length > 0 ? (
        <Badge tone="danger">{faults.length === 1 ? '1 fault' : `${faults.length} faults`}</Badge>
      ) : (
        isChanged && <Badge tone="warn">not saved</Badge>
      )}
    </span>
  );
}

const mostFaults = 8;

/** The same that the editor marks, as text. */
function Faults({ text, faults }: { text: string; faults: readonly Fault[] }) {
  const broken = parseError(text);
  if (broken === undefined && faults.length === 0) return null;
  return (
    <ul className="faults small">
      {broken !== undefined && <li>{broken}</li>}
      {faults.slice(0, mostFaults).map(({ place, message }) => (
        <li key={`${place.join('/')} ${message}`}>
          <code>{place.length === 0 ? 'content' : place.join(' › ')}</code> {message}
        </li>
      ))}
      {faults.length > mostFaults && <li>And {faults.length - mostFaults} more.</li>}
    </ul>
  );
}

function check(schema: Json, content: Json): Fault[] {
  try {
    return contentChecker(schema)(content);
  } catch {
    // A schema may refer to what only the server knows. It checks in any case.
    return [];
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseError(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'The content must be an object.';
  } catch (error) {
    return (error as Error).message;
  }
}
