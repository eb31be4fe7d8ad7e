export { type ApplyPatchOptions, applyPatch } from './apply-patch.js';
export {
  type ConsistencyProof,
  findConsistencyFault,
  findProofFault,
  headStatement,
  isConsistent,
  isSigned,
  isSignedHead,
  leafText,
  type RecordProof,
  rootOfInclusion,
  type SignedHead,
  toStatement,
} from './audit-proof.js';
export {
  calendarWords,
  dayMs,
  monthIndex,
  type TimeRange,
  toNumber,
  weekdayIndex,
  wholeDay,
  wholeMonth,
  wholeYear,
} from './calendar.js';
export { toDailyEntry } from './daily-entry.js';
export { englishStopWords } from './english-stop-words.js';
export { idPattern, isId, ulid, uuidv7 } from './ids.js';
export { invertPatch } from './invert-patch.js';
export { canonicalJson, type Json, jsonEqual } from './json.js';
export { checkPatch, type PatchOperation } from './json-patch.js';
export { formatPointer, getAt, isPointer, parsePointer, startsWithSegments } from './json-pointer.js';
export { loadOptional } from './load-optional.js';
export { Problem, type ProblemCode, type ProblemOptions, problemMeanings, problemStatuses } from './problem.js';
export { type RebaseConflict, type RebaseInput, rebasePatch } from './rebase-patch.js';
export { addFound, type FoundSecrets } from './redactor/found-secrets.js';
export { type Redaction, redact } from './redactor/redact.js';
export { type JsonRedaction, redactJson, redactValues } from './redactor/redact-json.js';
export { type OptionalLabel, optionalLabels, type SecretLabel, secretLabels } from './redactor/secret-label.js';
export { defuseMemoryMarks } from './scanner/defuse-memory-marks.js';
export { findHostileParts, type HostilePart, replaceParts, splitEntries } from './scanner/hostile-parts.js';
export { scanBlocks } from './scanner/scan-blocks.js';
export { scanRules, scanText } from './scanner/scan-text.js';
export { type RuleDescription, type ScanCategory, type ScanVerdict, scanCategories } from './scanner/scan-verdict.js';
export { splitText } from './split-text.js';
export { StartUpError } from './start-up-error.js';
export { describeFault, findTextFault, maxJsonDepth, type TextFault } from './text.js';
export { findCapWarning, tierCaps } from './tier-caps.js';
export { findKeyFault, fromTierLabel, isTier, type Tier, tiers, toTierLabel } from './tier-key.js';
export { fromLocalMs, toLocalMs, toTimeZone } from './time-zone.js';
