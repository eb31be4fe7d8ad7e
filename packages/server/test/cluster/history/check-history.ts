import { checkList } from './check-list.js';
import { checkRegister } from './check-register.js';
import { checkSet } from './check-set.js';
import type { Fault, Operation } from './operation.js';

/** Returns what cannot have happened in a store that keeps every acknowledged write and shows everybody the latest state. */
export function checkHistory(history: readonly Operation[]): Fault[] {
  return [
    ...eachObject(history.filter((one) => one.model === 'register')).flatMap(checkRegister),
    ...eachObject(history.filter((one) => one.model === 'set')).flatMap(checkSet),
    ...eachObject(history.filter((one) => one.model === 'list')).flatMap(checkList),
  ];
}

function eachObject<O extends Operation>(operations: readonly O[]): O[][] {
  const objects = new Map<string, O[]>();
  for (const operation of operations) {
    const others = objects.get(operation.object);
    if (others === undefined) objects.set(operation.object, [operation]);
    else others.push(operation);
  }
  return [...objects.values()];
}
