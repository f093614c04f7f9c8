// An operator corrects balances that were recorded wrongly: only what the chain shows too, and only where nothing was paid by them.

import { AccountLayout } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { type BooksReading, correctBooks } from '../../../src/commands/correct-books.ts';
import { BooksCorrected, type DistributionEvent } from '../../../src/streams/distribution.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import {
  distributionHalted,
  linksLanded,
  linksRecorded,
  openRecorded,
  runId,
  runOpened,
  splitLanded,
  splitRecorded,
  tills,
} from '../../support/distribution-examples.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { openLanded } from '../../support/run-examples.ts';

const { tokenId } = ids;
const reason = 'Two explorers show less than the node did.';
const input = { params: { tokenId }, body: { tokenAmount: '90001', lamports: '99999999', reason } };
const shown: BooksReading = { slot: 4_300n, tokens: 90_001n, lamports: 99_999_999n, hasLanded: false };
const facts = { reason, till: tills.second, shown };
const BEGUN = [runOpened, linksRecorded, linksLanded, splitRecorded] as const;
const SPLIT = [...BEGUN, splitLanded, distributionHalted] as const;
const corrected = BooksCorrected({
  ...{ tokenId, runId, tokens: '90001', lamports: '99999999', slot: '4300', reason },
});

describe('CorrectBooks', () => {
  const spec = commandSpec(correctBooks);
  const split = spec.given(...SPLIT);

  test('records what the wallet holds', () => {
    split.when({ input, facts }).records(corrected);
  });

  test('records it once', () => {
    spec
      .given(...SPLIT, corrected)
      .when({ input, facts })
      .recordsNothing();
  });

  test.each([
    ['is not halted', [...BEGUN, splitLanded]],
    ['has no till', [runOpened, distributionHalted]],
    ['may have paid', [...BEGUN, splitLanded, openRecorded, openLanded, distributionHalted]],
  ] as const)('is refused for a distribution that %s', (_what, events) => {
    spec
      .given(...events)
      .when({ input, facts })
      .rejects('CORRECTION_REFUSED');
  });

  test('is refused unless the node shows the same to the lamport, and no recorded link has landed', () => {
    for (const other of [
      { tokens: 90_000n },
      { lamports: 100_000_000n },
      { tokens: undefined },
      { lamports: undefined },
      { hasLanded: true },
    ])
      split.when({ input, facts: { ...facts, shown: { ...shown, ...other } } }).rejects('CORRECTION_REFUSED');
  });

  test('reads what the wallet itself holds, and whether a recorded link has landed', async () => {
    const wallet = addresses.distributionWallet;
    const account = (owner: string, amount: bigint) => {
      const data = Buffer.alloc(165);
      const key = PublicKey.default;
      const none = {
        delegateOption: 0,
        delegate: key,
        delegatedAmount: 0n,
        isNativeOption: 0,
        isNative: 0n,
      } as const;
      const rest = { ...none, closeAuthorityOption: 0, closeAuthority: key, mint: key, state: 1 } as const;
      AccountLayout.encode({ ...rest, owner: new PublicKey(owner), amount }, data);
      return { data, owner: TOKEN_PROGRAM, lamports: 1n };
    };
    const read = async (events: readonly DistributionEvent[], ...accounts: (object | undefined)[]) => {
      const chain = { accountsAt: async () => ({ slot: 4_300n, accounts }) };
      const keyring = { distributionWallet: () => ({ address: wallet }) };
      const context = contextAfter([tokenCreated, ...events], { chain, keyring });
      return (await correctBooks.prepare({ query: {}, ...input }, context)).shown;
    };
    const held = [account(wallet, 90_001n), account(wallet, 99_999_999n)];
    expect(await read(SPLIT, ...held)).toEqual(shown);
    expect(await read(SPLIT, held[0], account(addresses.creator, 5n))).toEqual({
      ...shown,
      lamports: undefined,
    });
    expect(await read(BEGUN, ...held, undefined)).toEqual(shown);
    expect(await read(BEGUN, ...held, account(wallet, 0n))).toEqual({ ...shown, hasLanded: true });
  });

  test('is refused where another till was read than the last one', () => {
    split.when({ input, facts: { ...facts, till: tills.first } }).rejects('CONCURRENT_CHANGE');
    expect(facts.till).not.toBe(tills.first);
  });
});
