import { userInfo } from 'node:os';

/** Returns the operating system account that runs this process. */
export function ownAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run with a user id that has no account.
    return toName(process.getuid?.());
  }
}

/** Returns the account of a file's owner. Accounts other than our own are named by their number. */
export function accountOf(uid: number): string {
  const own = process.getuid?.();
  return own === uid ? ownAccount() : toName(own === undefined ? undefined : uid);
}

function toName(uid: number | undefined): string {
  return uid === undefined ? 'unknown' : `uid ${uid}`;
}
