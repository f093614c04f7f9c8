// Which of the recorded links landed, from the tills that exist.
import { addressBytes } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { judgeLinks } from '../../../../src/distribution/links/judge-links.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { RecordedLink } from '../../../../src/streams/distribution.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { TOKEN, tokenAccount } from '../../../support/run-examples.ts';

const link = (number: number, previous: string | null, till: string): RecordedLink => ({
  number,
  previous,
  till,
  actions: [],
});
const [first, one, other, next, last] = [
  link(0, null, 'a'),
  link(1, 'a', 'b'),
  link(1, 'a', 'instead of b'),
  link(2, 'b', 'c'),
  link(3, 'c', 'd'),
];
const OURS = tokenAccount({ amount: 5n });
const STRANGERS = tokenAccount({ owner: addresses.otherCreator, amount: 5n });

interface Shown {
  /** The till that was seen last. */
  readonly known?: string;
  readonly pending: readonly RecordedLink[];
  readonly tills: { readonly [till: string]: ChainAccount };
  readonly hasMarker?: boolean;
}

test.each<readonly [what: string, shown: Shown, path: readonly RecordedLink[] | undefined]>([
  ['nothing has begun', { pending: [first], tills: {}, hasMarker: false }, []],
  ['the first has landed', { pending: [first], tills: { a: OURS } }, [first]],
  ['the first and the next have landed', { pending: [first, one], tills: { b: OURS } }, [first, one]],
  ['the last till known is there', { known: 'a', pending: [one], tills: { a: OURS } }, []],
  [
    'all but the last have landed',
    { known: 'a', pending: [one, next, last], tills: { c: OURS } },
    [one, next],
  ],
  [
    'one of two contents has landed',
    { known: 'a', pending: [one, other, next], tills: { 'instead of b': OURS } },
    [other],
  ],
  ['a node shows two tills', { known: 'a', pending: [one, next], tills: { b: OURS, c: OURS } }, [one, next]],
  [
    'a stranger has an account at the address',
    { known: 'a', pending: [one], tills: { a: OURS, b: STRANGERS } },
    [],
  ],
  ['no till is there that the log knows', { known: 'a', pending: [one], tills: {} }, undefined],
  ['a first till was there that the log does not know', { pending: [first], tills: {} }, undefined],
])('%s', (_what, { known, pending, tills, hasMarker = true }, path) => {
  const verdict = judgeLinks({
    wallet: addressBytes(TOKEN.wallet.address),
    till: known,
    pending,
    markerExists: hasMarker,
    accountOf: (address) => tills[address],
  });
  expect(verdict).toEqual(path && { path, lamports: Object.keys(tills).length === 0 ? 0n : 5n });
});
