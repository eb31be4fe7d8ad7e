import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { Json } from '../../parts/json-value.js';
import { type Node, nameOf, namesIn, placeOf, rangeOf } from './json-places.js';
import { beginningOf, choicesAt, describeSchema, descriptionOf, membersAt } from './schema-at.js';
import { contentChecker } from './schema-faults.js';

/** Returns what proposes the names that the schema has for a place, with what may be there, and the values that it lists. */
export function completionsFrom(schema: Json) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const node: Node = syntaxTree(state).resolveInner(pos, -1);
    if (node.name === 'PropertyName' || isAtName(state, node, pos)) return names(schema, state, node, pos);
    const property = enclosing(node, 'Property');
    if (property === undefined || (!explicit && node.name !== 'String')) return null;
    const place = [...placeOf(state, property), nameOf(state, property)];
    const options = choicesAt(schema, place).map(
      (value): Completion => ({ label: JSON.stringify(value), type: 'enum' }),
    );
    if (options.length === 0) return null;
    return { from: isValue(node) ? node.from : pos, ...(isValue(node) && { to: node.to }), options };
  };
}

function names(schema: Json, state: EditorState, node: Node, pos: number): CompletionResult | null {
  const object = node.name === 'Object' ? node : enclosing(node, 'Object');
  if (object === undefined) return null;
  const present = new Set(namesIn(state, object));
  const own = node.name === 'PropertyName' ? nameOf(state, enclosing(node, 'Property') ?? node) : '';
  const hasValue = node.name === 'PropertyName' && /^\s*:/.test(state.sliceDoc(node.to, node.to + 20));
  const options = membersAt(schema, placeOf(state, object))
    .filter(({ name }) => name === own || !present.has(name))
    .map(({ name, schema: inner, isRequired }): Completion => {
      const begun = JSON.stringify(beginningOf(schema, inner));
      return {
        label: JSON.stringify(name),
        apply: hasValue ? JSON.stringify(name) : `${JSON.stringify(name)}: ${begun}`,
        detail: `${describeSchema(schema, inner)}${isRequired ? ', required' : ''}`,
        type: 'property',
        boost: isRequired ? 1 : 0,
      };
    });
  const from = node.name === 'PropertyName' ? node.from : pos;
  return { from, ...(node.name === 'PropertyName' && { to: node.to }), options };
}

/** Returns whether a name is what comes next: after the brace of an object, or after a comma in it. */
function isAtName(state: EditorState, node: Node, pos: number): boolean {
  const inObject = node.name === 'Object' || node.name === '{' || node.parent?.name === 'Object';
  return inObject && /[{,]\s*$/.test(state.sliceDoc(Math.max(0, pos - 200), pos));
}

function isValue({ name }: Node): boolean {
  return ['String', 'Number', 'True', 'False', 'Null'].includes(name);
}

function enclosing(node: Node, name: string): Node | undefined {
  for (let at: Node | null = node; at !== null; at = at.parent) if (at.name === name) return at;
  return undefined;
}

/** Says what a member is for, under the pointer. */
export function helpFrom(schema: Json) {
  return hoverTooltip((view, pos) => {
    const node: Node = syntaxTree(view.state).resolveInner(pos);
    const property = node.name === 'PropertyName' ? node.parent : null;
    if (property === null) return null;
    const name = nameOf(view.state, property);
    const member = membersAt(schema, placeOf(view.state, property)).find((one) => one.name === name);
    if (member === undefined) return null;
    const description = descriptionOf(schema, member.schema);
    const dom = document.createElement('div');
    dom.textContent = [description, describeSchema(schema, member.schema), member.isRequired ? 'required' : undefined]
      .filter((text) => text !== undefined)
      .join(' · ');
    return { pos: node.from, end: node.to, above: true, create: () => ({ dom }) };
  });
}

/** Returns what marks places whose values the schema does not allow. Text that is no JSON has no places. */
export function faultsFrom(schema: Json) {
  const check = contentChecker(schema);
  return (state: EditorState): Diagnostic[] => {
    let content: Json;
    try {
      content = JSON.parse(state.doc.toString());
    } catch {
      return [];
    }
    return check(content).map(({ place, message }) => ({
      ...rangeOf(state, place),
      severity: 'error',
      message: place.length === 0 ? message : `${place.join(' › ')}: ${message}`,
    }));
  };
}
