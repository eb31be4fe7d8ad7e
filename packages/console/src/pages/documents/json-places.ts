import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

export type Node = ReturnType<typeof syntaxTree>['topNode'];

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

function valueNode(property: Node): Node | undefined {
  return childrenOf(property).findLast(({ name }) => values.has(name));
}

function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

export function nameOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  if (name === null) return '';
  try {
    return String(JSON.parse(state.sliceDoc(name.from, name.to)));
  } catch {
    return state.sliceDoc(name.from + 1, name.to);
  }
}

/** Returns where the value at a place is in the text, or the nearest value that contains it. */
export function rangeOf(state: EditorState, place: readonly string[]): { from: number; to: number } {
  let node = childrenOf(syntaxTree(state).topNode).find(({ name }) => values.has(name));
  for (const name of place) {
    const inner: Node | undefined =
      node?.name === 'Array'
        ? childrenOf(node).filter((child) => values.has(child.name))[Number(name)]
        : memberNode(state, node, name);
    if (inner === undefined) break;
    node = inner;
  }
  return node === undefined ? { from: 0, to: 0 } : { from: node.from, to: node.to };
}

function memberNode(state: EditorState, node: Node | undefined, name: string): Node | undefined {
  const property = node && childrenOf(node).find((child) => child.name === 'Property' && nameOf(state, child) === name);
  return property && valueNode(property);
}

/** Returns the place of the object or list that a node is in, or of its property. */
export function placeOf(state: EditorState, node: Node): string[] {
  const place: string[] = [];
  for (let inner: Node = node, outer = node.parent; outer !== null; inner = outer, outer = outer.parent) {
    if (outer.name === 'Property') place.unshift(nameOf(state, outer));
    if (outer.name === 'Array') {
      const before = childrenOf(outer).filter((child) => values.has(child.name) && child.to <= inner.from);
      place.unshift(String(before.length));
    }
  }
  return place;
}

/** Returns the names of the members that an object has. */
export function namesIn(state: EditorState, object: Node): string[] {
  return childrenOf(object)
    .filter(({ name }) => name === 'Property')
    .map((property) => nameOf(state, property));
}
