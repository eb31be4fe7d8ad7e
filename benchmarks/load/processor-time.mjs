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
 * Returns the milliseconds that the threads of a process were ready but had no processor: what the machine, not the program, makes it wait.
 * @param {number} pid
 */
export function delayedTime(pid) {
  return sumOf(readdirSync(`/proc/${pid}/task`), (thread) => {
    const [, delayedNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(delayedNs) / 1e6;
  });
}

/**
 * Returns the milliseconds of processor time of a process, its children, and the children that have ended.
 * @param {number} pid
 */
export function familyTime(pid) {
  const { own, ofEnded } = timesOf(`/proc/${pid}/stat`);
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ofChildren = sumOf(processes, (name) => {
    const child = timesOf(`/proc/${name}/stat`);
    return child.parent === pid ? child.own : 0;
  });
  return own + ofEnded + ofChildren;
}

/**
 * Adds up a number of each process or thread. One that has ended meanwhile has none.
 * @param {string[]} names
 * @param {(name: string) => number} numberOf
 */
function sumOf(names, numberOf) {
  return names.reduce((sum, name) => {
    try {
      return sum + numberOf(name);
    } catch {
      return sum;
    }
  }, 0);
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
