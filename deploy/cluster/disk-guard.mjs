import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/**
 * Hands over to the standby when the disk of a primary is full. PostgreSQL stops only if it cannot write its log: with a full disk it can go
 * on for long in which reads succeed and writes fail, and Patroni sees nothing wrong with that. One guard runs beside each server.
 */
const { values } = parseArgs({
  options: { directory: { type: 'string' }, patroni: { type: 'string' }, name: { type: 'string' } },
});
const { directory = '', patroni = '', name = '' } = values;
const leastBytes = 16 * 1024 * 1024;

for (;;) {
  await sleep(1000);
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= leastBytes) continue;
    const body = JSON.stringify({ leader: name });
    const headers = { 'content-type': 'application/json' };
    // Patroni refuses if this server is not the primary, or nobody can take over.
    const answer = await fetch(`${patroni}/switchover`, { method: 'POST', headers, body });
    process.stdout.write(`${new Date().toISOString()} the disk is full: ${answer.status} ${await answer.text()}\n`);
  } catch (error) {
    process.stdout.write(`${new Date().toISOString()} ${error}\n`);
  }
}
