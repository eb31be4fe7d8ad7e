import { EditorView } from '@codemirror/view';

/**
 * Replaces a selection that somebody types over. Left to itself, Chromium keeps the look of what was selected in style attributes,
 * which the content security policy refuses with an error each time.
 */
export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || isComposing || main.empty) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});
