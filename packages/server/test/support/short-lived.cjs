// Required by every process that tests start: optimising what runs for seconds takes longer than it ever saves.
const { setFlagsFromString } = require('node:v8');

setFlagsFromString('--liftoff-only');
setFlagsFromString('--no-opt');
