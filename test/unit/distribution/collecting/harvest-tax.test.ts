// Collecting the tax: from the holders' accounts into the mint, in waves, then from the mint into the wallet's account.
import type { Instruction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { continueHarvest, newHarvest } from '../../../../src/distribution/collecting/harvest-tax.ts';
import { failuresIn } from '../../../../src/distribution/sending/failures.ts';
import type { Sender, SignedTransaction } from '../../../../src/distribution/sending/sender.ts';
import type { Chain, SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import { waitFor } from '../../../../src/streams/distribution-wait.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { only, TOKEN, tokenAccount } from '../../../support/run-examples.ts';
import {
  createAssociatedTokenAccountIfAbsent,
  harvestWithheldTax,
  withdrawWithheldTax,
} from '../../../support/token-instructions.ts';

const LAST_VALID = 600n;
const LANDED: SignatureStatus = { slot: 4_150, error: undefined, commitment: 'confirmed' };
const FINAL: SignatureStatus = { ...LANDED, commitment: 'finalized' };
const FAILED: SignatureStatus = { ...FINAL, error: '{"InstructionError":[0,{"Custom":4}]}' };
const UNDER_WAY = waitFor('finality', 'The withdrawal of the harvested tax is not final yet.');
const stillToCome = (accounts: number) =>
  waitFor('finality', `Tax is being harvested; ${accounts} accounts remain.`);

const WITHDRAWAL = [
  createAssociatedTokenAccountIfAbsent({
    payer: TOKEN.distributor.address,
    tokenAccount: TOKEN.tokens,
    owner: TOKEN.wallet.address,
    mint: TOKEN.mint,
  }),
  withdrawWithheldTax(TOKEN.mint, TOKEN.tokens, TOKEN.wallet.address),
];

/** A chain on which so many accounts have tax withheld; what it shows may be changed between two steps. */
function scene(withWithheld: number) {
  const shown = {
    statuses: new Map<string, SignatureStatus>(),
    height: 500n,
    /** Base units in the account after the withdrawal; undefined where the node does not show that. */
    left: 77n as bigint | undefined,
    account: tokenAccount({ amount: 77n }) as ReturnType<typeof tokenAccount> | undefined,
    refusal: undefined as string | undefined,
  };
  const signed: { instructions: readonly Instruction[]; keys: readonly string[]; units: number }[] = [];
  const sent: string[] = [];
  const asked: unknown[] = [];
  let now = Date.parse('2026-01-01T00:00:00Z');
  let simulations = 0;
  const chain = only<Chain>('the chain', {
    statuses: async (of) => of.map((signature) => shown.statuses.get(signature)),
    tip: async () => ({ blockHeight: shown.height, slot: 4_200n }),
    recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: LAST_VALID }),
    async transaction(signature, commitment) {
      const { left } = shown;
      const landed = { slot: 4_150, wire: new Uint8Array(), fee: 5_000n, error: undefined, logs: [] };
      asked.push([signature, commitment]);
      return { ...landed, tokensAfter: left === undefined ? undefined : new Map([[TOKEN.tokens, left]]) };
    },
    async accountsAt(of, commitment, options) {
      asked.push([of, commitment, options]);
      return { slot: 4_210n, accounts: [shown.account] };
    },
  });
  const sender = only<Sender>('the sender', {
    price: async () => 0n,
    async simulate() {
      simulations += 1;
      return {
        slot: 4_200n,
        error: shown.refusal,
        logs: [],
        unitsConsumed: 1_000 * simulations,
        wire: new Uint8Array(),
      };
    },
    async sign(instructions, keys, units): Promise<SignedTransaction> {
      signed.push({ instructions, keys: keys.map(({ address }) => address), units });
      const signature = `signature ${signed.length}`;
      return { wire: new Uint8Array(), signature, lastValidBlockHeight: LAST_VALID, fee: 5_000n };
    },
    async send({ signature }) {
      sent.push(signature);
    },
  });
  const collector = {
    withWithheld,
    addressesWithWithheld: (from: number, to: number) =>
      Array.from({ length: to - from }, () => addresses.creator),
  };
  const harvest = newHarvest();
  return {
    step: () =>
      continueHarvest({ chain, sender, clock: { now: () => new Date(now) } }, TOKEN, collector, harvest),
    shown,
    signed,
    harvest,
    asked,
    simulations: () => simulations,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** What was sent since the last call, by its number. */
    sent: () => sent.splice(0).map((signature) => Number(signature.split(' ')[1])),
    land: (status: SignatureStatus, ...numbers: readonly number[]) => {
      for (const number of numbers) shown.statuses.set(`signature ${number}`, status);
    },
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('tax in the accounts of holders', () => {
  test('is harvested sixty accounts at a time, each once, paid for by the distributor', async () => {
    const { step, signed, sent, simulations } = scene(130);
    expect(await step()).toEqual(stillToCome(0));
    expect(sent()).toEqual([1, 2, 3]);
    expect(signed.map(({ keys, units }) => [keys, units])).toEqual(
      Array.from({ length: 3 }, () => [[TOKEN.distributor.address], 120_000]),
    );
    expect(signed.map(({ instructions }) => instructions)).toEqual(
      [60, 60, 10].map((count) => [
        harvestWithheldTax(
          TOKEN.mint,
          Array.from({ length: count }, () => addresses.creator),
        ),
      ]),
    );
    // A full transaction needs the most: one simulation tells for all.
    expect(simulations()).toBe(1);
  });

  test('is harvested in waves: the next begins when the one before has landed', async () => {
    const { step, sent, land, harvest } = scene(24 * 60 + 1);
    expect(await step()).toEqual(stillToCome(1));
    expect(sent()).toEqual(numbers(1, 24));
    land(LANDED, ...numbers(1, 23));
    expect(await step()).toEqual(stillToCome(1));
    expect([sent(), harvest.harvested, harvest.fees]).toEqual([[24], 23 * 60, 115_000n]);
    land(LANDED, 24);
    expect(await step()).toEqual(stillToCome(0));
    expect(sent()).toEqual([25]);
    land(LANDED, 25);
    expect(await step()).toEqual(UNDER_WAY);
    expect([harvest.harvested, harvest.fees, harvest.givenUp]).toEqual([24 * 60 + 1, 125_000n, 0]);
  });

  test('whose transaction failed is left to the next run, and its fee was paid', async () => {
    const { step, land, harvest } = scene(130);
    await step();
    land(LANDED, 1, 3);
    land(FAILED, 2);
    expect(await step()).toEqual(UNDER_WAY);
    expect([harvest.harvested, harvest.givenUp, harvest.fees]).toEqual([70, 1, 15_000n]);
  });

  test('whose transaction failed lets the next wave wait, and it is simulated anew', async () => {
    const { step, land, pass, sent, simulations } = scene(24 * 60 + 1);
    await step();
    land(FAILED, ...numbers(1, 24));
    sent();
    expect(await step()).toMatchObject({ code: 'transaction-refused' });
    expect([sent(), simulations()]).toEqual([[], 1]);
    pass(5_000);
    await step();
    expect([sent(), simulations()]).toEqual([[25], 2]);
  });

  test('whose transaction nobody has seen is sent again while it can land, then signed anew, and left after three', async () => {
    const { step, shown, sent, harvest } = scene(60);
    await step();
    expect(sent()).toEqual([1]);
    shown.height = LAST_VALID;
    await step();
    expect(sent()).toEqual([1]);
    shown.height = LAST_VALID + 1n;
    expect(await step()).toEqual(stillToCome(0));
    expect(sent()).toEqual([2]);
    await step();
    expect(sent()).toEqual([3]);
    expect(await step()).toEqual(UNDER_WAY);
    expect([sent(), harvest.harvested, harvest.givenUp, harvest.fees]).toEqual([[4], 0, 1, 0n]);
  });
});

describe('tax in the mint', () => {
  test('is withdrawn where no account has any, into an account that is made where it is absent', async () => {
    const { step, signed, sent } = scene(0);
    expect(await step()).toEqual(UNDER_WAY);
    expect(sent()).toEqual([1]);
    const keys = [TOKEN.distributor.address, TOKEN.wallet.address];
    expect(signed).toEqual([{ instructions: WITHDRAWAL, keys, units: 1_000 }]);
  });

  test('is collected once the withdrawal is final, as a node shows that is no older', async () => {
    const { step, land, asked, harvest } = scene(0);
    await step();
    land(LANDED, 1);
    expect(await step()).toEqual(UNDER_WAY);
    expect(asked).toEqual([]);
    land(FINAL, 1);
    expect(await step()).toEqual({ balance: 77n, slot: 4_150n, withdraw: ['signature 1'] });
    expect(asked).toEqual([
      [[TOKEN.tokens], 'finalized', { atLeastSlot: 4_150n }],
      ['signature 1', 'finalized'],
    ]);
    expect(harvest.fees).toBe(5_000n);
  });

  test('is not counted while a node shows less than the withdrawal left, or not what it left', async () => {
    const { step, land, shown } = scene(0);
    await step();
    land(FINAL, 1);
    const behind = (detail: string) => ({
      code: 'chain-unavailable',
      detail: expect.stringContaining(detail),
    });
    shown.left = 78n;
    expect(await step()).toMatchObject(behind('fewer than the 78 after the withdrawal'));
    shown.left = undefined;
    expect(await step()).toMatchObject(behind('the balance after the withdrawal'));
  });

  test('is not counted while a node does not show the account', async () => {
    const { step, land, shown, harvest } = scene(0);
    await step();
    land(FINAL, 1);
    shown.account = undefined;
    expect(await step()).toMatchObject({
      code: 'chain-unavailable',
      detail: expect.stringContaining("the wallet's account"),
    });
    expect(harvest.fees).toBe(0n);
  });

  test('is withdrawn by one transaction at a time: sent again while it can land and nobody has seen it', async () => {
    const { step, sent, land, shown } = scene(0);
    await step();
    sent();
    shown.height = LAST_VALID;
    expect(await step()).toEqual(UNDER_WAY);
    expect(sent()).toEqual([1]);
    land(LANDED, 1);
    expect(await step()).toEqual(UNDER_WAY);
    expect(sent()).toEqual([]);
    // What has landed is waited for however late it is.
    shown.height = LAST_VALID + 1n;
    expect(await step()).toEqual(UNDER_WAY);
    expect(sent()).toEqual([]);
  });

  test('is withdrawn anew after a failure only when a pause is over, which doubles with each failure', async () => {
    const { step, sent, land, pass, harvest } = scene(0);
    await step();
    for (const [failures, pause] of [5_000, 10_000, 20_000, 40_000].entries()) {
      land(FAILED, failures + 1);
      for (let look = 0; look < 3; look++)
        expect(await step()).toMatchObject({ code: 'transaction-refused' });
      pass(pause - 1);
      expect(await step()).toMatchObject({ code: 'transaction-refused', error: FAILED.error });
      pass(1);
      expect(await step()).toEqual(UNDER_WAY);
      expect(failuresIn(harvest.failures)).toBe(failures + 1);
    }
    expect(sent()).toEqual([1, 2, 3, 4, 5]);
  });

  test('is waited for where the chain refuses the withdrawal: nothing is signed', async () => {
    const { step, shown, signed } = scene(0);
    shown.refusal = '{"InstructionError":[1,{"Custom":4}]}';
    expect(await step()).toMatchObject({ code: 'transaction-refused' });
    expect(signed).toEqual([]);
  });
});
