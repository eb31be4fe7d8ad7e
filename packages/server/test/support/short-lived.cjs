// Loaded by every process that tests start. They live for seconds, too short for optimised code to pay off.
const { setFlagsFromString } = require('node:v8');

setFlagsFromString('--liftoff-only');
setFlagsFromString('--no-opt');
