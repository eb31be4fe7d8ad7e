/** The run was asked for in a way that cannot be: an unknown id, a list of gaps that is none. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** Nobody answers at the target, or it does not let us in. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
}
