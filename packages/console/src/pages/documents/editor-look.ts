import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours reach the shadow root of the editor as the properties of `tokens.css`. */
export const editorLook = [
  EditorView.theme({
    // It grows with its text: the page scrolls, not the editor.
    '&': { color: 'var(--text)', backgroundColor: 'var(--surface)' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '1.6' },
    '.cm-content': { caretColor: 'var(--text)', minHeight: '240px' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--text-muted)', border: '0' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-content ::selection': {
      backgroundColor: 'var(--accent-ground)',
    },
    '.cm-specialChar': { color: 'var(--warn)', outline: '1px solid var(--warn)', borderRadius: '3px' },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-ground)' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', borderColor: 'var(--line)', color: 'var(--text-muted)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line)',
      borderRadius: 'var(--radius-small)',
      boxShadow: 'var(--shadow)',
      font: '12.5px/1.5 var(--sans)',
      maxWidth: 'min(460px, 86vw)',
    },
    '.cm-tooltip-hover': { padding: '6px 10px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
    '.cm-tooltip-autocomplete ul li': { padding: '4px 10px' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-ground)', color: 'var(--accent)' },
    '.cm-completionDetail': { color: 'var(--text-muted)', fontStyle: 'normal', marginLeft: '12px' },
    '.cm-diagnostic': { padding: '5px 10px' },
    '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--danger)',
      textUnderlineOffset: '3px',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--accent)' },
      { tag: tags.string, color: 'var(--text)' },
      { tag: tags.number, color: 'var(--part-words)' },
      { tag: [tags.bool, tags.null], color: 'var(--part-meaning)' },
      { tag: tags.separator, color: 'var(--text-muted)' },
      { tag: [tags.brace, tags.squareBracket], color: 'var(--text-muted)' },
    ]),
  ),
];
