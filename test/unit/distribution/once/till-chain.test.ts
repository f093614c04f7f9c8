// The till chain: what a link consists of, and what its till's address commits to. What the chain makes of it is in contracts/svm.
import { addressBytes, addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { unwrapLamports } from '../../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import {
  linkInstructions,
  markerOf,
  solAccountOf,
  type TillAction,
  type TillLink,
  tillOf,
} from '../../../../src/distribution/once/till-chain.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { closeSolAccount, syncNative } from '../../../support/token-instructions.ts';

const [wallet, payer, other] = [1, 2, 3].map((index) => keyOf(6_100 + index).address) as [
  string,
  string,
  string,
];
const RENTS = { today: 2_039_280n, ofPrevious: 2_000_000n };
const FIRST: TillLink = { wallet, number: 0, previous: undefined, actions: [] };
const link = (...actions: readonly TillAction[]): TillLink => ({
  wallet,
  number: 1,
  previous: tillOf(FIRST).address,
  actions,
});
const made = ({ address, seed }: { address: string; seed: string }) =>
  solAccountOf({ address, seed, wallet, payer, rent: RENTS.today });
const backToPayer = (till: string, lamports: bigint) =>
  unwrapLamports({ from: till, to: payer, authority: wallet, lamports });

describe('the address of a till', () => {
  const action = { content: 'burn 5' };

  test('is another for each number, former till and content', () => {
    const links: readonly TillLink[] = [
      FIRST,
      { ...FIRST, number: 1 },
      { ...FIRST, previous: other },
      { ...FIRST, wallet: other },
      { ...FIRST, actions: [action] },
      { ...FIRST, actions: [{ content: 'burn 6' }] },
      { ...FIRST, actions: [action, action] },
    ];
    expect(new Set(links.map((each) => tillOf(each).address)).size).toBe(links.length);
  });

  test('has a seed of 32 characters, the most that the chain takes', () => {
    const { address, seed } = tillOf(link(action));
    expect(seed).toHaveLength(32);
    expect(addressOf(addressBytes(address))).toBe(address);
    expect(tillOf(link(action))).toEqual({ address, seed });
  });

  test('never takes an action of two lines: two actions must not read as three', () => {
    expect(() => tillOf(link({ content: 'burn 5\nburn 6' }))).toThrow(
      'the content of an action must not contain a line break',
    );
  });
});

describe('the first link', () => {
  test('makes the marker, which keeps it from landing twice, and closes nothing', () => {
    const till = tillOf(FIRST);
    const marker = { address: markerOf(wallet), seed: 'levy:till-marker' };
    expect(linkInstructions(FIRST, payer, RENTS)).toEqual([
      ...made(marker),
      ...made(till),
      syncNative(till.address),
    ]);
  });
});

describe('a later link', () => {
  test('closes the former till into the new one, and gives the rent of it back', () => {
    const next = link({ content: 'memo' });
    const till = tillOf(next);
    expect(linkInstructions(next, payer, RENTS)).toEqual([
      ...made(till),
      closeSolAccount(next.previous ?? '', till.address, wallet),
      syncNative(till.address),
      backToPayer(till.address, RENTS.ofPrevious),
    ]);
  });

  test('collects before the lamports are counted, and spends after the rents are given back', () => {
    const collected = (till: string) => transferInstruction({ from: other, to: till, lamports: 1n });
    const spent = (till: string) => backToPayer(till, 3n);
    const next = link(
      { content: 'close a pot', collect: (till) => [collected(till)], rentReturned: 100n },
      { content: 'close another', rentReturned: 10n },
      { content: 'pay', spend: (till) => [spent(till)] },
    );
    const { address } = tillOf(next);
    expect(linkInstructions(next, payer, RENTS).slice(-4)).toEqual([
      collected(address),
      syncNative(address),
      backToPayer(address, RENTS.ofPrevious + 110n),
      spent(address),
    ]);
  });
});
