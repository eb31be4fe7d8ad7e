/** The run was started with invalid options, such as an unknown id or a malformed list of known gaps. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** The target does not respond or denies access. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
}
