// Which of the recorded links landed, from the tills that exist.
import { addressBytes, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../../src/chain/keys.ts';
import { judgeLinks } from '../../../../src/distribution/links/judge-links.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { RecordedLink } from '../../../../src/streams/distribution.ts';

const wallet = createKeyPair(new Uint8Array(32).fill(1)).address;
const stranger = createKeyPair(new Uint8Array(32).fill(2)).address;
const till = (name: string) => seededAddress(wallet, name, TOKEN_PROGRAM);
const link = (number: number, previous: string | null, name: string): RecordedLink => ({
  number,
  previous: previous === null ? null : till(previous),
  till: till(name),
  actions: [],
});

function account(owner: string, lamports: bigint): ChainAccount {
  const data = Buffer.alloc(165);
  data.set(addressBytes(owner), 32);
  data.writeBigUInt64LE(lamports, 64);
  data[108] = 1;
  data.writeUInt32LE(1, 109);
  return { owner: TOKEN_PROGRAM, lamports: lamports + 2_039_280n, data };
}

function judge(
  known: string | undefined,
  pending: readonly RecordedLink[],
  existing: readonly string[],
  marker = true,
) {
  const accounts = new Map(existing.map((name) => [till(name), account(wallet, 5n)]));
  return judgeLinks({
    wallet: addressBytes(wallet),
    till: known === undefined ? undefined : till(known),
    pending,
    markerExists: marker,
    accountOf: (address) => accounts.get(address),
  });
}

const pathOf = (verdict: ReturnType<typeof judge>) => verdict?.path.map(({ number }) => number);

describe('the links of a till', () => {
  test('have not begun while neither till nor marker exist', () => {
    expect(pathOf(judge(undefined, [link(0, null, 'a')], [], false))).toEqual([]);
    expect(pathOf(judge(undefined, [link(0, null, 'a')], ['a']))).toEqual([0]);
  });

  test('have not landed while the last till known exists', () => {
    expect(pathOf(judge('a', [link(1, 'a', 'b')], ['a']))).toEqual([]);
  });

  test('all landed up to the till that exists', () => {
    const links = [link(1, 'a', 'b'), link(2, 'b', 'c'), link(3, 'c', 'd')];
    expect(pathOf(judge('a', links, ['c']))).toEqual([1, 2]);
    expect(judge('a', links, ['c'])).toMatchObject({ lamports: 5n });
  });

  test('of which two have one number show which of them landed', () => {
    const links = [link(1, 'a', 'b'), link(1, 'a', 'other'), link(2, 'b', 'c')];
    expect(judge('a', links, ['other'])).toMatchObject({ path: [links[1]] });
  });

  test('are behind the chain where no till exists that the log knows', () => {
    expect(pathOf(judge('a', [link(1, 'a', 'b')], []))).toBeUndefined();
    expect(pathOf(judge(undefined, [link(0, null, 'a')], [], true))).toBeUndefined();
  });

  test("are not made by a stranger's account at the same address", () => {
    const verdict = judgeLinks({
      wallet: addressBytes(wallet),
      till: till('a'),
      pending: [link(1, 'a', 'b')],
      markerExists: true,
      accountOf: (address) =>
        address === till('b')
          ? account(stranger, 5n)
          : address === till('a')
            ? account(wallet, 5n)
            : undefined,
    });
    expect(pathOf(verdict)).toEqual([]);
  });
});
