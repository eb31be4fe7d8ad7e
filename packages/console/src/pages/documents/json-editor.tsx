import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Json } from '../../parts/json-value.js';
import { hiddenCharacters } from '../../parts/text.js';
import { editorLook } from './editor-look.js';
import { completionsFrom, faultsFrom, helpFrom } from './schema-help.js';
import { typedOver } from './typed-over.js';

interface JsonEditorProps {
  label: string;
  text: string;
  onText(text: string): void;
  /** Helps with names and values, and marks what it does not allow. */
  schema: Json | undefined;
}

/**
 * An editor for JSON. It is in a shadow root: there its styles are adopted sheets, which the content security policy allows, while
 * it refuses style elements. Tab leaves it, as it leaves any field.
 */
export function JsonEditor({ label, text, onText, schema }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const given = useRef({ text, onText });
  given.current = { text, onText };
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) given.current.onText(update.state.doc.toString());
    });
    const named = EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' });
    const state = EditorState.create({
      doc: given.current.text,
      extensions: [basics, ...helpOf(schema), named, changed],
    });
    const made = new EditorView({ root, parent: root, state });
    view.current = made;
    return () => made.destroy();
  }, [label, schema]);
  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === text) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: text } });
  }, [text]);
  return <div ref={host} className="json-editor" />;
}

const basics: Extension = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  json(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSpecialChars({ addSpecialChars: hiddenCharacters }),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
  ]),
  typedOver,
  editorLook,
];

function helpOf(schema: Json | undefined): Extension[] {
  const parse = jsonParseLinter();
  if (schema === undefined) return [linter(parse, { delay: 250 }), autocompletion({ override: [] })];
  const faults = faultsFrom(schema);
  return [
    linter((view) => [...parse(view), ...faults(view.state)], { delay: 250 }),
    autocompletion({ override: [completionsFrom(schema)] }),
    helpFrom(schema),
  ];
}
