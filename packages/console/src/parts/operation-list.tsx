import { fromPointer, type Json, toText, valueAt } from './json-value.js';
import { Text } from './text.js';

export interface ShownOperation {
  op: string;
  path: string;
  from?: string;
  value?: Json;
}

interface OperationListProps {
  operations: readonly ShownOperation[];
  /** What the operations are made for. Shows what is replaced and removed, if it is known. */
  current?: Json | undefined;
  /** Says what is to be noted about an operation, if anything. */
  warn?(operation: ShownOperation): string | undefined;
}

/** Operations of a JSON Patch, each with what it takes away and what it puts there. */
export function OperationList({ operations, current, warn }: OperationListProps) {
  return (
    <ul className="difference">
      {operations.map((operation, index) => {
        const { op, path, from, value } = operation;
        const before = op === 'add' || current === undefined ? undefined : valueAt(current, fromPointer(path));
        const warning = warn?.(operation);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two operations may be the same
          <li key={index}>
            <code>
              {op} {from !== undefined && <Text value={`${from} → `} limit={300} />}
              <Text value={path === '' ? 'everything' : path} limit={300} />
            </code>
            {warning !== undefined && <p className="small warn-text">{warning}</p>}
            {before !== undefined && (
              <pre className="removed">
                <Text value={`− ${toText(before)}`} limit={2000} />
              </pre>
            )}
            {value !== undefined && (
              <pre className="added">
                <Text value={`+ ${toText(value)}`} limit={2000} />
              </pre>
            )}
          </li>
        );
      })}
    </ul>
  );
}
