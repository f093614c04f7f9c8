/** Wraps a port without naming its methods, so that measuring, tracing and fault injection cover new methods, too. */

/** Must call `call` synchronously: its result determines whether the call is wrapped. */
type Around = <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;

/**
 * Returns the port with `around` wrapped around each call that returns a promise. A call with another result, such
 * as an iterable, returns that result unchanged; the promise that `around` gets for it never settles. Members other
 * than methods are unchanged.
 */
export function wrapCalls<Port extends object>(port: Port, around: Around): Port {
  return viewOf(port, (name, method) => (...args) => {
    let direct: { readonly answer: unknown } | undefined;
    const answered = around(name, (): Promise<unknown> => {
      const answer = method(...args);
      if (answer instanceof Promise) return answer;
      direct = { answer };
      // A new promise each time, so that it can be garbage-collected together with its waiters.
      return new Promise(() => undefined);
    });
    return direct === undefined ? answered : direct.answer;
  });
}

export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  const view = viewOf(port, (_name, method) => method);
  return Object.defineProperties(view, Object.getOwnPropertyDescriptors(methods));
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * Copies the members once, because the log is called so often that a proxy would cost more than the measured work. Members
 * other than methods are read from the port each time.
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
