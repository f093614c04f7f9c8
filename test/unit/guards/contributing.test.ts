/** The examples of CONTRIBUTING apply to the sources as they are. That they compile is tested in `test/infra`. */
import { expect, test } from 'vitest';
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
