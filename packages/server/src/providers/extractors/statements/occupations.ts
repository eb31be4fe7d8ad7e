import { workRoles } from '../rules/languages/english/word-lists.js';

const more = new Set(
  `lead student baker worker lecturer president vp head chief referee umpire bricklayer rapper actress fishmonger fisherman steward stewardess
   postman policeman notary archivist actuary caretaker guard rabbi imam monk nun mayor astronaut locksmith jeweller potter weaver`.split(
    /\s+/,
  ),
);

/** Whether a text ends with a word for what people do for a living. */
export function isOccupation(text: string | undefined): boolean {
  const last = (text ?? '').toLowerCase().split(/\s+/u).at(-1) ?? '';
  return workRoles.has(last) || more.has(last) || /(?:ologist|ographer|ineer|ician|therapist|maker|keeper)$/.test(last);
}
