/** The reason why a process cannot start. The message tells the person at the terminal what to do. Exit code 1. */
export class StartUpError extends Error {
  override readonly name = 'StartUpError';
}
