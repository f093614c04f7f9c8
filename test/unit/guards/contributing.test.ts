/** The examples of CONTRIBUTING apply to the sources as they are. That they compile is tested in `test/infra`. */
import { describe, expect, test } from 'vitest';
import { applyDiff, readDiff } from '../../support/apply-diff.ts';
import { applied, examples } from '../../support/contributing-examples.ts';

test('there are two examples: a command, and a purpose of drafts', () => {
  expect(examples.map(([first]) => first?.path)).toEqual([
    expect.stringMatching(/\/streams\/token\.ts$/),
    expect.stringMatching(/\/purposes\/token-memo\.ts$/),
  ]);
});

test.each(examples)('the example that begins with $path applies', (...example) => {
  expect([...applied(example).keys()]).toHaveLength(example.length);
});

describe('a hunk', () => {
  const [file] = readDiff('+++ b/a.ts\n@@ -7,3 +7,3 @@\n one\n-two\n+2\n+two and a half\n three');

  test('goes where its lines are, whatever their numbers', () => {
    expect(file && applyDiff('zero\none\ntwo\nthree\n', file)).toBe('zero\none\n2\ntwo and a half\nthree\n');
  });

  test('is refused where its lines are not there, or twice', () => {
    expect(() => file && applyDiff('one\ntwo\n', file)).toThrow('0 places');
    expect(() => file && applyDiff('one\ntwo\nthree\none\ntwo\nthree\n', file)).toThrow('2 places');
    expect(() => file && applyDiff(undefined, file)).toThrow('a.ts is not there');
  });
});
