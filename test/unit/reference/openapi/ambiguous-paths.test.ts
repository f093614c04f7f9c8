// No path can be taken for another, so that it does not matter in which order a client or a proxy looks at them.
import { expect, test } from 'vitest';
import { commands } from '../../../../src/commands/index.ts';
import { queries } from '../../../../src/queries/index.ts';

const urls = [...new Set([...commands, ...queries].map(({ route }) => route.url))];

/** Names that stand where other routes have a parameter whose values they cannot be: a token's id is a UUID. */
const NO_VALUES = new Set(['files']);

const isParameter = (part: string) => part.startsWith(':');

/** Whether some path fits both, and neither is the more exact one throughout. */
function isAmbiguous(one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')];
  if (parts.length !== others.length) return false;
  const pairs = parts.map((part, index) => [part, others[index] ?? ''] as const);
  const canMeet = pairs.every(([a, b]) => {
    if (isParameter(a) && isParameter(b)) return true;
    if (isParameter(a) || isParameter(b)) return !NO_VALUES.has(isParameter(a) ? b : a);
    return a === b;
  });
  const moreExact = pairs.some(([a, b]) => isParameter(b) && !isParameter(a));
  const lessExact = pairs.some(([a, b]) => isParameter(a) && !isParameter(b));
  return canMeet && moreExact === lessExact;
}

test('the check knows an ambiguous pair', () => {
  expect(isAmbiguous('/tokens/:mint/list', '/tokens/mine/:page')).toBe(true);
  expect(isAmbiguous('/tokens/:mint', '/tokens/:tokenId')).toBe(true);
  expect(isAmbiguous('/tokens/:mint', '/tokens/mine')).toBe(false);
});

test('no path can be taken for another', () => {
  const pairs = urls.flatMap((one, index) => urls.slice(index + 1).map((other) => [one, other] as const));
  expect(pairs.filter(([one, other]) => isAmbiguous(one, other))).toEqual([]);
});
