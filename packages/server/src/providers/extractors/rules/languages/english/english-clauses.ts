import { toPattern } from '../../phrases.js';
import type { ClauseGrammar } from '../language.js';

const starter =
  "(?:i(?:'?[mdl]|'?ve|'?ll)?|my|we(?:'?re|'?ve|'?ll)?|our|please|pls|call me|let'?s|don'?t|do not|use|from now on|going forward|remember|keep in mind|they call me)";
const asking =
  '(?:what|which|how|where|who|why|when|should|shall|is|are|am|do|does|did|can|could|would|will|may|any|so what|or (?:is|are|should))';
const coordinator = '(?:and|but|so|plus|also|yet|because|since|however|though|n)';
/** Words that only announce a statement: the colon after one does not end a clause. */
const label =
  '(?:remember|this|that|following|note|self|reference|record|forget|mind|memory|down|decision|choice|typo|correction|reminder|important|later)';
/** Commas, colons, coordinators and dashes surrounded by spaces, before the start of a new statement. */
const joints = toPattern(
  `(?:\\s*(?:[,;]|(?<!\\b${label}):)\\s+(?:${coordinator}\\s+)?|\\s+[–—-]{1,2}\\s+|\\s+${coordinator}\\s+(?:now\\s+)?)(?=${starter}\\b)`,
  'giu',
);
const questionJoints = toPattern(
  `\\s*[,;:–—]\\s+(?:(?:and|but|so)\\s+)?(?=${asking}\\b)|\\s+(?:so|and|but)\\s+(?=${asking}\\b)`,
  'giu',
);
const tagQuestion =
  /[,\s](?:right|correct|remember|ok(?:ay)?|no|yes|yeah|(?:do|is|are|am|was|were|have|has|did|would|should|could|can|will)n'?t (?:i|it|we|you|they|he|she)|(?:do|am|did|have) i)\s*\?+$/iu;

/** "When you write to me, use …", "As a dentist, I …": the first part makes no sense without the rest. */
const dependentOpening = /^(?:(?:please|so|and|also|well|but),? )?(?:when(?:ever)? you|as an? )/iu;

export const clauses: ClauseGrammar = {
  joints,
  questionJoints,
  tagQuestion,
  dependentOpening,
  adding: /^,? ?and$/,
  condition: /^when(?:ever)? /iu,
};
