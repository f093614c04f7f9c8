/** Stands around every method of a port, whichever it has: what is measured of one is measured of all. */

export type Around = <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;

/** Every method of the port must answer with a promise; other members stay as they are. */
export function aroundCalls<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: readonly unknown[]) =>
        around(name, async (): Promise<unknown> => Reflect.apply(member, target, args));
    },
  });
}
