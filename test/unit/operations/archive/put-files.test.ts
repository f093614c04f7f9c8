// The files of a restored log go to a store that has none of another log: nothing is put before that is known.
import { expect, test } from 'vitest';
import { OperatorError } from '../../../../src/kernel/ports/errors.ts';
import { putNamedFiles } from '../../../../src/operations/archive/put-files.ts';

function storeOf(files: { readonly [name: string]: string }) {
  const held = new Map<string, Uint8Array>(
    Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]),
  );
  const store = {
    async *listFiles() {
      yield* [...held.keys()];
    },
    getFile: async (name: string) => held.get(name),
    putFile: async (name: string, bytes: Uint8Array) => void held.set(name, bytes),
  };
  return { store: store as never, names: () => [...held.keys()] };
}

test.each([
  ['the same files', { one: '1' }, true],
  ['another note of its restore', { 'log/restored': 'earlier' }, true],
  ['another file of the name', { two: '3' }, false],
  ['a file that the log has not', { three: '3' }, false],
])('a store with %s', async (_what, there, isTaken) => {
  const source = storeOf({ one: '1', two: '2', 'log/restored': 'now' });
  const target = storeOf(there);
  const putting = putNamedFiles(source.store, target.store);
  if (isTaken) {
    await putting;
    expect(target.names().toSorted()).toEqual(['log/restored', 'one', 'two']);
  } else {
    await expect(putting).rejects.toThrow(OperatorError);
    expect(target.names()).toEqual(Object.keys(there));
  }
});
