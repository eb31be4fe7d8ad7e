import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux; other systems have no /proc, so the benchmark does not run there. */
const msPerTick = 10;

/**
 * Returns the milliseconds of processor time of a process, those of its first thread apart: in Node, that one runs JavaScript, the
 * others the model, the garbage collector and the file system.
 * @param {number} pid
 */
export function processTime(pid) {
  const all = timesOf(`/proc/${pid}/stat`).own;
  const main = timesOf(`/proc/${pid}/task/${pid}/stat`).own;
  return { main, others: Math.max(0, all - main) };
}

/**
 * Returns the milliseconds of processor time of a process, its children, and the children that have ended.
 * @param {number} pid
 */
export function familyTime(pid) {
  const { own, ofEnded } = timesOf(`/proc/${pid}/stat`);
  let sum = own + ofEnded;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const child = timesOf(`/proc/${name}/stat`);
      if (child.parent === pid) sum += child.own;
    } catch {
      // It ended meanwhile.
    }
  }
  return sum;
}

/** @param {number} pid */
export function residentBytes(pid) {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** @param {string} file */
function timesOf(file) {
  const text = readFileSync(file, 'utf8');
  // The name of the program, in parentheses, can contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  return { parent, own: (user + system) * msPerTick, ofEnded: (endedUser + endedSystem) * msPerTick };
}
