// Whether an owner takes part in a run, by its address alone.
import { addressBytes, isOnCurve, RESERVED_PROGRAMS, RESERVED_SYSVARS } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { POOL_AUTHORITY } from '../../../../src/chain/venue/addresses.ts';
import { STANDINGS, type Standing } from '../../../../src/distribution/allotting/allot.ts';
import { countHolders, standingsOf } from '../../../../src/distribution/allotting/allot-run.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { numberedOwner } from '../../../support/scanned.ts';

const WALLET = addresses.creator;
const SYSTEM = RESERVED_PROGRAMS[0] ?? '';
const CLOCK = RESERVED_SYSVARS[0] ?? '';
const NOBODY = { keptOut: [], listedIn: [], own: [] };

interface Lists {
  readonly keptOut?: string[];
  readonly listedIn?: string[];
  readonly own?: string[];
}

async function standingOf(address: string, lists: Lists) {
  const rows = { count: 1, ownerAt: () => addressBytes(address) };
  const standings = await standingsOf(rows, { ...NOBODY, ...lists }, async () => {});
  return STANDINGS[standings[0] ?? -1];
}

test.each([
  ['a wallet takes part', WALLET, {}, 'takes-part'],
  [
    'a wallet that the creator keeps out',
    WALLET,
    { keptOut: [WALLET], listedIn: [WALLET] },
    'excluded-by-creator',
  ],
  ['a wallet of the service', WALLET, { own: [WALLET], listedIn: [WALLET], keptOut: [WALLET] }, 'excluded'],
  ['the pool', POOL_AUTHORITY, { listedIn: [POOL_AUTHORITY] }, 'pool'],
  [
    'the pool that the creator keeps out',
    POOL_AUTHORITY,
    { keptOut: [POOL_AUTHORITY] },
    'excluded-by-creator',
  ],
  ['a program, whatever the creator lists', SYSTEM, { listedIn: [SYSTEM], keptOut: [SYSTEM] }, 'program'],
  ['a sysvar, whatever the creator lists', CLOCK, { listedIn: [CLOCK], keptOut: [CLOCK] }, 'sysvar'],
  ['the incinerator', '1nc1nerator11111111111111111111111111111111', {}, 'excluded'],
] satisfies [string, string, Lists, Standing][])('%s', async (_name, address, lists, standing) => {
  expect(await standingOf(address, lists)).toBe(standing);
});

test('what is no point of the curve belongs to a program, unless the creator lists it in', async () => {
  const candidates = Array.from({ length: 20 }, (_, number) => numberedOwner(number));
  const offCurve = candidates.find((address) => !isOnCurve(addressBytes(address))) ?? '';
  expect(await standingOf(offCurve, {})).toBe('program-owned');
  expect(await standingOf(offCurve, { listedIn: [offCurve] })).toBe('takes-part');
});

test('others run after each 128 owners', async () => {
  const restsFor = async (count: number) => {
    let rests = 0;
    const rows = { count, ownerAt: () => addressBytes(SYSTEM) };
    await standingsOf(rows, NOBODY, async () => {
      rests += 1;
    });
    return rests;
  };
  expect([await restsFor(127), await restsFor(128), await restsFor(256)]).toEqual([0, 1, 2]);
});

test('holders are counted by what they hold, without the service, pools and the incinerator', async () => {
  const [one, two, three] = [numberedOwner(1), numberedOwner(2), numberedOwner(3)] as const;
  const held: readonly (readonly [string, bigint])[] = [
    [one, 1n],
    [two, 7n],
    [three, 0n],
    [WALLET, 9n],
    [POOL_AUTHORITY, 9n],
    ['1nc1nerator11111111111111111111111111111111', 9n],
  ];
  const scanned = {
    count: held.length,
    ownerAt: (index: number) => addressBytes(held[index]?.[0] ?? ''),
    balanceAt: (index: number) => held[index]?.[1] ?? 0n,
  };
  expect(await countHolders(scanned, [WALLET], async () => {})).toBe(2);
  expect(await countHolders(scanned, [], async () => {})).toBe(3);
});
