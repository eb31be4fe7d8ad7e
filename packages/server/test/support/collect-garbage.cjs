// Loaded by processes whose memory a test measures. After SIGUSR2 they have only what they keep, and nothing that is merely not collected yet.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => collect());
