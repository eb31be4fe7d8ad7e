// Runs a registry that passes on other people's packages and has none of ours: node registry.mjs <directory> <registry> [<ca file>]
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

const [directory = '.', registry = '', ca = ''] = process.argv.slice(2);
const own = { access: '$all', publish: '$all', unpublish: '$all' };
const server = await runServer({
  self_path: directory,
  storage: join(directory, 'storage'),
  uplinks: {
    upstream: { url: registry, timeout: '60s', maxage: '60m', ...(ca !== '' && { ca: readFileSync(ca, 'utf8') }) },
  },
  packages: { memhall: own, '@memhall/*': own, '**': { access: '$all', proxy: 'upstream' } },
  log: { type: 'stdout', format: 'json', level: 'fatal' },
  web: { enable: false },
  server: { keepAliveTimeout: 60 },
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`);
process.stdin.resume().on('end', () => process.exit());
