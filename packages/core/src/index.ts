export { idPattern, isId, uuidv7 } from './ids.js';
export { canonicalJson, type Json } from './json.js';
export { Problem, type ProblemCode, type ProblemOptions, problemMeanings, problemStatuses } from './problem.js';
export { StartUpError } from './start-up-error.js';
export { describeFault, findTextFault, maxJsonDepth, type TextFault } from './text.js';
