/** Hook for input that survives navigation and a reload of the tab. */
import { useState } from 'preact/hooks';

/** `name` must be unique per form and subject; `undefined` removes the input. The value must be JSON. */
export function useSavedInput<Value extends object>(
  name: string,
): readonly [Value | undefined, (value: Value | undefined) => void] {
  const place = `levy:typed:${name}`;
  const [value, show] = useState<Value | undefined>(() => {
    const stored = sessionStorage.getItem(place);
    return stored === null ? undefined : JSON.parse(stored);
  });
  const set = (next: Value | undefined) => {
    show(next);
    if (next === undefined) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(next));
  };
  return [value, set];
}
