/**
 * Wraps a port without naming its methods, so that a new method of the port passes through what measures it, traces it
 * or disturbs it in tests.
 */

/** Must call `call` at once: its result decides whether this is a call to wrap at all. */
type Around = <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;

/**
 * The port with `around` wrapped around each call that answers with a promise. Any other result, such as an iterable,
 * is returned as it is, and for `around` that call never ends; other members stay as they are.
 */
export function aroundCalls<Port extends object>(port: Port, around: Around): Port {
  return viewOf(port, (name, method) => (...args) => {
    let direct: { readonly answer: unknown } | undefined;
    const answered = around(name, (): Promise<unknown> => {
      const answer = method(...args);
      if (answer instanceof Promise) return answer;
      direct = { answer };
      // A new promise each time, so that it can be garbage-collected together with what waits for it.
      return new Promise(() => undefined);
    });
    return direct === undefined ? answered : direct.answer;
  });
}

/** The port with some of its methods replaced; all other members are the port's own. */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  const view = viewOf(port, (_name, method) => method);
  return Object.defineProperties(view, Object.getOwnPropertyDescriptors(methods));
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * Copied member by member, once: the log is called so often that a proxy around it would cost more than what is
 * measured. What is no method is read from the port each time.
 */
function viewOf<Port extends object>(port: Port, wrapped: (name: string, method: Method) => Method): Port {
  const view: Port = Object.create(port);
  for (let owner: object = port; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name === 'constructor' || Object.hasOwn(view, name)) continue;
      // Read from the port itself, which may already be wrapped.
      const read = (): unknown => Reflect.get(port, name);
      const method = typeof value === 'function' ? read() : undefined;
      const member =
        typeof method === 'function' ? { value: wrapped(name, method.bind(port)) } : { get: read };
      Object.defineProperty(view, name, { ...member, enumerable: true, configurable: true });
    }
  }
  return view;
}
