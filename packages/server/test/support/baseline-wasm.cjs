// Embedded databases live for seconds in tests: optimising their code takes longer than it ever saves.
require('node:v8').setFlagsFromString('--liftoff-only');
