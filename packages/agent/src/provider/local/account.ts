import { userInfo } from 'node:os';

/** What the operating system calls whoever runs this process. */
export function ownAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run as a number that no account has.
    return toName(process.getuid?.());
  }
}

/** Whose a file is. Other accounts than our own are known by their number only. */
export function accountOf(uid: number): string {
  const own = process.getuid?.();
  return own === uid ? ownAccount() : toName(own === undefined ? undefined : uid);
}

function toName(uid: number | undefined): string {
  return uid === undefined ? 'unknown' : `uid ${uid}`;
}
