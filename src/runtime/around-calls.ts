/**
 * Puts something around a port without naming its methods: what a port gets tomorrow passes through by itself, to what
 * measures it, traces it or disturbs it in tests.
 */

/** Has to call at once: what `call` gives decides whether it is a call to stand around at all. */
export type Around = <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;

/**
 * The port, each call of which goes through `around` if it answers with a promise. Whatever else a method gives, such as an
 * iterable, is given as it is, and for `around` that call never ends; other members stay as they are.
 */
export function aroundCalls<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: readonly unknown[]) => {
        let direct: { readonly answer: unknown } | undefined;
        const answered = around(name, (): Promise<unknown> => {
          const answer: unknown = Reflect.apply(member, target, args);
          if (answer instanceof Promise) return answer;
          direct = { answer };
          // A new one each time: what waits for it can be collected together with it.
          return new Promise(() => undefined);
        });
        return direct === undefined ? answered : direct.answer;
      };
    },
  });
}

/**
 * The port with some of its methods replaced; all other members are the port's own. Made member by member, once: the log is
 * called so often that a proxy around it would cost more than what is measured.
 */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  const view: Port = Object.create(port);
  for (let owner: object = port; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name === 'constructor' || Object.hasOwn(view, name)) continue;
      // Asked of the port itself, which may have something around it already.
      const read = (): unknown => Reflect.get(port, name);
      const method = typeof value === 'function' ? read() : undefined;
      const member = typeof method === 'function' ? { value: method.bind(port) } : { get: read };
      Object.defineProperty(view, name, { ...member, enumerable: true, configurable: true });
    }
  }
  return Object.defineProperties(view, Object.getOwnPropertyDescriptors(methods));
}
