import { parseArgs } from 'node:util';
import { Cluster, missingParts } from './cluster.mjs';

const help = `Start a whole Memhall cluster on this machine, and stop it at Ctrl-C.

  node deploy/cluster/run.mjs [--nodes 3] [--workers 2]

It needs root and what scripts/install-postgres.sh and scripts/install-cluster.sh install. Everything is in one temporary
directory and is removed at the end. For tests only: all of it depends on one machine.
`;
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    help: { type: 'boolean' },
  },
});

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const missing = missingParts();
if (missing.length > 0) {
  process.stderr.write(`This machine lacks ${missing.join(', ')}. Run scripts/install-cluster.sh as root.\n`);
  process.exit(1);
}
const cluster = await Cluster.start({ nodes: Number(values.nodes), workers: Number(values.workers) });
process.stdout.write(
  [
    `memhall  ${cluster.url}`,
    `nodes    ${cluster.nodeUrls.join(' ')}`,
    `files    ${cluster.directory}`,
    `token    MEMHALL_DATA=${cluster.directory}/memhall npx memhall token --tenant default --user me`,
    '',
  ].join('\n'),
);
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    void cluster.stop().then(() => process.exit(0));
  });
}
setInterval(() => undefined, 2 ** 30);
