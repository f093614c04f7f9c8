// Why nothing that a distribution wallet signs can happen twice, shown by the chain's own programs.
import { beforeEach, describe, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { unwrapLamports } from '../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import {
  linkInstructions,
  markerOf,
  type TillAction,
  type TillLink,
  tillOf,
} from '../../../src/distribution/once/till-chain.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../support/token-instructions.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

const key = (number: number): KeyPair => createKeyPair(new Uint8Array(32).fill(number));
const [wallet, distributor, stranger, receiver] = [key(1), key(2), key(3), key(4)];

let machine: TokenMachine;
let rent: bigint;

beforeEach(() => {
  machine = openTokenMachine();
  rent = machine.rent(TOKEN_ACCOUNT_SIZE);
  // The wallet itself holds nothing.
  for (const { address } of [distributor, stranger]) machine.fund(address, 10_000_000_000n);
});

const genesis: TillLink = { wallet: wallet.address, number: 0, previous: undefined, actions: [] };

function linkAfter(link: TillLink, actions: readonly TillAction[] = []): TillLink {
  return { wallet: wallet.address, number: link.number + 1, previous: tillOf(link).address, actions };
}

function sign(link: TillLink, rents = { today: rent, ofPrevious: rent }): Uint8Array {
  return machine.sign(linkInstructions(link, distributor.address, rents), [distributor, wallet]);
}

function land(link: TillLink): void {
  const { error, logs } = machine.send(sign(link));
  if (error !== undefined) throw new Error([error, ...logs].join('\n'));
}

const sol = (link: TillLink) => machine.tokenAccount(tillOf(link).address)?.amount;

function donate(to: string, lamports: bigint): void {
  machine.execute([transferInstruction({ from: stranger.address, to, lamports })], [stranger]);
}

/** Pays somebody out of the till, to see how often it happens. */
function payment(lamports: bigint): TillAction {
  return {
    content: `pay ${lamports}`,
    spend: (till) => [
      unwrapLamports({ from: till, to: receiver.address, authority: wallet.address, lamports }),
    ],
  };
}

describe('the chain of tills', () => {
  test('begins with an empty till and a marker', () => {
    land(genesis);
    expect(sol(genesis)).toBe(0n);
    expect(machine.tokenAccount(markerOf(wallet.address))?.amount).toBe(0n);
  });

  test('begins once, also after its first till is spent', () => {
    const again = sign(genesis);
    land(genesis);
    land(linkAfter(genesis));
    expect(machine.send(again).error).toBeDefined();
    expect(machine.send(sign(genesis)).error).toBeDefined();
    expect(machine.exists(tillOf(genesis).address)).toBe(false);
  });

  test('moves everything that the old till holds, a late donation too, and gives the lent rent back', () => {
    land(genesis);
    const next = linkAfter(genesis);
    const wire = sign(next);
    donate(tillOf(genesis).address, 5_000_000n);
    const before = machine.balance(distributor.address);
    expect(machine.send(wire).error).toBeUndefined();
    expect(sol(next)).toBe(5_000_000n);
    expect(machine.exists(tillOf(genesis).address)).toBe(false);
    const fee = 10_000n;
    expect(before - machine.balance(distributor.address)).toBe(fee);
  });

  test('is not stopped by lamports that a stranger puts where the next till will be', () => {
    land(genesis);
    const next = linkAfter(genesis);
    donate(tillOf(next).address, 7_000_000n);
    land(next);
    expect(sol(next)).toBe(7_000_000n);
  });

  test('takes a content once, however often it is signed and however late it is sent', () => {
    land(genesis);
    donate(tillOf(genesis).address, 50_000_000n);
    const next = linkAfter(genesis, [payment(3_000_000n)]);
    const copies = [sign(next), sign(next), sign(next)];
    expect(copies.map((wire) => machine.send(wire).error === undefined)).toEqual([true, false, false]);
    land(linkAfter(next));
    expect(copies.map((wire) => machine.send(wire).error === undefined)).toEqual([false, false, false]);
    expect(machine.send(sign(next)).error).toBeDefined();
    expect(machine.balance(receiver.address)).toBe(3_000_000n);
  });

  test('takes one of several contents, and shows which one', () => {
    land(genesis);
    donate(tillOf(genesis).address, 50_000_000n);
    const one = linkAfter(genesis, [payment(3_000_000n)]);
    const other = linkAfter(genesis, [payment(4_000_000n)]);
    const [first, second] = [sign(one), sign(other)];
    expect(machine.send(second).error).toBeUndefined();
    expect(machine.send(first).error).toBeDefined();
    expect([sol(one), sol(other)]).toEqual([undefined, 46_000_000n]);
    expect(machine.balance(receiver.address)).toBe(4_000_000n);
  });

  test('takes no link that builds on a content that did not land', () => {
    land(genesis);
    donate(tillOf(genesis).address, 50_000_000n);
    const lost = linkAfter(genesis, [payment(3_000_000n)]);
    const onLost = sign(linkAfter(lost, [payment(1_000_000n)]));
    land(linkAfter(genesis));
    expect(machine.send(onLost).error).toBeDefined();
    expect(machine.balance(receiver.address)).toBe(0n);
  });

  test('takes the same content at another rent', () => {
    land(genesis);
    const next = linkAfter(genesis);
    const old = sign(next);
    const dearer = sign(next, { today: rent + 1_000n, ofPrevious: rent });
    expect(machine.send(dearer).error).toBeUndefined();
    expect(machine.send(old).error).toBeDefined();
    // What was lent above the reserve is counted as wrapped SOL, and moves on with the till.
    expect(sol(next)).toBe(1_000n);
  });

  test('cannot be made or spent without the wallet', () => {
    land(genesis);
    const link = linkInstructions(linkAfter(genesis), stranger.address, { today: rent, ofPrevious: rent });
    const withoutWallet = link.map((instruction) => ({
      ...instruction,
      accounts: instruction.accounts.map((meta) =>
        meta.address === wallet.address ? { ...meta, signer: false } : meta,
      ),
    }));
    expect(machine.send(machine.sign(withoutWallet, [stranger])).error).toBeDefined();
    expect(sol(genesis)).toBe(0n);
  });
});
