const built = Symbol('built');
const args = Symbol('args');

/**
 * Returns a function that makes objects whose members are built on first use, each at most once. Objects that delegate to
 * such an object through their prototype share its members.
 */
export function buildLazily<T extends object, Args extends readonly unknown[]>(
  factories: {
    readonly [Name in keyof T]: (...given: Args) => T[Name];
  },
): (...given: Args) => T {
  class Lazy {
    readonly [built]: Partial<T> = {};
    readonly [args]: Args;

    constructor(given: Args) {
      this[args] = given;
    }
  }
  for (const name of Object.keys(factories) as (keyof T)[]) {
    const build = factories[name];
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy): T[keyof T] {
        const member = this[built][name] ?? build(...this[args]);
        this[built][name] = member;
        return member;
      },
    });
  }
  return (...given) => new Lazy(given) as unknown as T;
}
