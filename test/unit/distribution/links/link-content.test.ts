// What a recorded link does on the chain, and to what of it the next till's address commits.

import { describe, expect, test } from 'vitest';
import { transferSol } from '../../../../src/chain/payment-instructions.ts';
import {
  isTrueToContent,
  linkOf,
  recordLink,
  signersOf,
} from '../../../../src/distribution/links/link-content.ts';
import { guardOf } from '../../../../src/distribution/once/meter.ts';
import type { SaleVenue } from '../../../../src/distribution/selling/sale-venue.ts';
import type { LinkAction } from '../../../../src/streams/distribution.ts';
import { tills } from '../../../support/distribution-examples.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { only, TOKEN } from '../../../support/run-examples.ts';
import { closeSolAccount, revokeTokens } from '../../../support/token-instructions.ts';

const TILL = tills.second;
const wallet = TOKEN.wallet.address;
const payer = TOKEN.distributor.address;
const { mint, decimals, tokens } = TOKEN;
const [POT, RUN_KEY, OTHER] = [addresses.creator, keyOf(6_700), addresses.mint] as const;
const tax = { epoch: 0n, basisPoints: 300, maximumFee: 1_000n };

const SELL = {
  kind: 'sell',
  venue: 'meteora',
  market: POT,
  amount: '40',
  minimum: '900',
  tokensAfter: '60',
  tillAfter: '1000',
} as const;
const ACTIONS: readonly LinkAction[] = [
  { kind: 'burn', amount: '5' },
  SELL,
  { kind: 'memo', text: 'the root' },
  { kind: 'open', seed: 'a seed', pot: POT, allowance: '70' },
  { kind: 'approve', delegate: POT, allowance: '70' },
  { kind: 'close', pot: POT, left: '9', rent: '2000' },
  { kind: 'revoke', delegate: POT, left: '9' },
];

const venue = only<SaleVenue>('the venue', { signers: () => [keyOf(6_701)] });
const conditions = { tax, rent: 2_039_280n };
const linkWith = (...actions: LinkAction[]) => ({ number: 2, previous: tills.first, actions });

describe('the address of the next till', () => {
  /** Another text or number in the place of each property but the kind, the only one that is not free. */
  const changed = ACTIONS.flatMap((action) =>
    Object.entries(action)
      .filter(([name]) => name !== 'kind' && !(action.kind === 'open' && name === 'rent'))
      .map(([name, value]) => {
        const other = name === 'venue' ? 'desk' : typeof value === 'number' ? value + 1 : `${value}1`;
        return [`${action.kind}.${name}`, action, { ...action, [name]: other } as LinkAction] as const;
      }),
  );

  test.each(changed)('commits to %s', (_what, action, other) => {
    const link = recordLink(linkWith(action), TOKEN);
    expect(isTrueToContent(link, TOKEN)).toBe(true);
    expect(isTrueToContent({ ...link, actions: [other] }, TOKEN)).toBe(false);
  });

  test.each([
    ['the number of the till', { number: 3 }],
    ['the till before it', { previous: tills.third }],
    ['there being a till before it', { previous: null }],
    ['the number of its actions', { actions: [...ACTIONS, ACTIONS[0] as LinkAction] }],
    ['the order of its actions', { actions: [...ACTIONS].reverse() }],
  ])('commits to %s', (_what, other) => {
    const link = recordLink(linkWith(...ACTIONS), TOKEN);
    expect(link).toMatchObject({ number: 2, previous: tills.first, actions: ACTIONS });
    expect(isTrueToContent(link, TOKEN)).toBe(true);
    expect(isTrueToContent({ ...link, ...other }, TOKEN)).toBe(false);
  });

  test.each(['burn', 'sell', 'approve', 'revoke'])('commits to the token of which it is to %s', (kind) => {
    const link = recordLink(linkWith(...ACTIONS.filter((action) => action.kind === kind)), TOKEN);
    expect(isTrueToContent(link, { ...TOKEN, mint: OTHER })).toBe(OTHER === mint);
    expect(isTrueToContent(link, { ...TOKEN, mint: POT })).toBe(false);
  });
});

describe('on the chain a link', () => {
  const effectOf = (action: LinkAction) => {
    const [effect] = linkOf(linkWith(action), TOKEN, conditions).actions;
    if (effect === undefined) throw new Error('the link has an action');
    const { collect, spend, rentReturned } = effect;
    return { collect: collect?.(TILL), spend: spend?.(TILL), rentReturned };
  };
  const nothing = { collect: undefined, spend: undefined, rentReturned: undefined };

  test('that sells everything guards the proceeds alone, and neither where nothing must arrive in an empty till', () => {
    const all = { ...SELL, tokensAfter: '0' };
    const proceeds = transferSol({ from: TILL, to: TILL, authority: wallet, lamports: 1_000n });
    expect(effectOf(all).spend).toEqual([proceeds]);
    expect(effectOf({ ...all, tillAfter: '900' }).spend).toHaveLength(1);
    expect(effectOf({ ...all, minimum: '0', tillAfter: '5' }).spend).toHaveLength(1);
    expect(effectOf({ ...all, minimum: '0', tillAfter: '0' }).spend).toEqual([]);
  });

  test('closes a pot into the till while its meter shows what is left, and returns its rent', () => {
    const guard = guardOf({ address: POT, owner: wallet, delegate: payer, asset: { kind: 'sol' } }, 9n);
    const close = closeSolAccount(POT, TILL, wallet);
    const closed = { ...nothing, rentReturned: 2_000n };
    const action = { kind: 'close', pot: POT, rent: '2000' } as const;
    expect(effectOf({ ...action, left: '9' })).toEqual({ ...closed, collect: [guard, close] });
    expect(effectOf({ ...action, left: '0' })).toEqual({ ...closed, collect: [close] });
  });

  test('takes the approval back while it shows what is left', () => {
    const asset = { kind: 'token', mint, decimals, tax } as const;
    const guard = guardOf({ address: tokens, owner: wallet, delegate: POT, asset }, 9n);
    const revoke = revokeTokens(tokens, wallet);
    expect(effectOf({ kind: 'revoke', delegate: POT, left: '9' })).toEqual({
      ...nothing,
      spend: [guard, revoke],
    });
    expect(effectOf({ kind: 'revoke', delegate: POT, left: '0' })).toEqual({ ...nothing, spend: [revoke] });
  });
});

describe('a link is signed by the distributor, who pays, the wallet, and', () => {
  const signers = (...actions: LinkAction[]) =>
    signersOf(
      { actions },
      TOKEN,
      (address) => (address === RUN_KEY.address ? RUN_KEY : keyOf(6_702)),
      () => venue,
    ).map(({ address }) => address);
  const revoke = (left: string) => ({ kind: 'revoke', delegate: RUN_KEY.address, left }) as const;

  test('the run’s key, once, where it has something left', () => {
    expect(signers(revoke('9'), revoke('8'))).toEqual([payer, wallet, RUN_KEY.address]);
    expect(signers(revoke('0'))).toEqual([payer, wallet]);
  });
});
