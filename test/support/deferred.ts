/** A promise that a test settles when it wants. */
export function deferred<Value = void>() {
  let resolve = (_value: Value): void => {};
  let reject = (_reason: Error): void => {};
  const promise = new Promise<Value>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
