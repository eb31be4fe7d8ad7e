/** Why a process cannot start: one sentence for the person at the terminal, who also learns what to do. Exit code 1. */
export class StartUpError extends Error {
  override readonly name = 'StartUpError';
}
