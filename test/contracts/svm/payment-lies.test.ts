// Nodes that invent a payment, by the real steps of a run on the SVM: the run does not close, whatever they show later on.
// What strangers transfer is never taken for a payment that is missing.
import { base58, decodeTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import { actionsOf } from '../../support/decode-actions.ts';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import type { ForkingLedger } from '../../support/faulty-chain/forking-ledger.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

/** The pot that the transaction pays from, and how much; undefined where it is no payment. */
function paymentIn(wire: Uint8Array): { readonly pot: string; readonly sum: bigint } | undefined {
  const [guard, ...payments] = actionsOf(wire);
  if (guard?.kind !== 'move' || guard.from !== guard.to || payments.length === 0) return undefined;
  const amounts = payments.flatMap((each) =>
    (each.kind === 'unwrap' || each.kind === 'move') && each.from === guard.from && each.amount !== undefined
      ? [each.amount]
      : [],
  );
  return amounts.length < payments.length
    ? undefined
    : { pot: guard.from, sum: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

interface Lie {
  /** True if the node continues to return the payment by its signature. */
  readonly statuses: boolean;
  /** Number of reads in which the node shows a lower meter. */
  readonly looks: number;
}

/** Takes the first payment and never passes it on, and shows it as final. */
function inventing({ statuses, looks }: Lie) {
  let invented: { readonly pot: string; readonly sum: bigint; readonly wire: Uint8Array } | undefined;
  let signature = '';
  let left = looks;
  return (chain: Chain): Chain => ({
    ...chain,
    async send(wire) {
      const payment = invented === undefined ? paymentIn(wire) : undefined;
      const decoded = decodeTransaction(wire);
      if (payment !== undefined && decoded.ok) {
        invented = { ...payment, wire };
        signature = base58(decoded.transaction.signatures[0] ?? new Uint8Array(64));
      }
      if (invented === undefined || Buffer.compare(invented.wire, wire) !== 0) await chain.send(wire);
    },
    async accountsAt(addresses, commitment, options) {
      const { slot, accounts } = await chain.accountsAt(addresses, commitment, options);
      const at = addresses.indexOf(invented?.pot ?? '');
      const account = accounts[at];
      if (invented === undefined || account === undefined || left === 0) return { slot, accounts };
      if (commitment === 'finalized') left -= 1;
      const data = Buffer.from(account.data);
      const allowance = data.readBigUInt64LE(121) - invented.sum;
      data.writeBigUInt64LE(allowance, 121);
      if (allowance === 0n) data.writeUInt32LE(0, 72);
      return { slot, accounts: accounts.with(at, { ...account, data }) };
    },
    async transaction(asked, commitment) {
      if (invented === undefined || asked !== signature) return chain.transaction(asked, commitment);
      const { slot } = await chain.tip('finalized');
      return { slot: Number(slot), wire: invented.wire, fee: 5_000n, error: undefined, logs: [] };
    },
    async statuses(asked) {
      const shown = await chain.statuses(asked);
      const { slot } = await chain.tip('finalized');
      return shown.map((status, index) =>
        statuses && asked[index] === signature
          ? { slot: Number(slot), error: undefined, commitment: 'finalized' }
          : status,
      );
    },
  });
}

const ALWAYS = 1_000_000;

describe.each(['sol', 'token'] as const)('a node that invents a payment in %s', (asset) => {
  test.each<readonly [what: string, lie: Lie]>([
    ['and then shows the meter as it is', { statuses: true, looks: 1 }],
    ['and shows the meter as fallen until its pot is closed', { statuses: false, looks: ALWAYS }],
    ['and shows it by its signature for ever', { statuses: true, looks: ALWAYS }],
  ])('%s: the run does not close, and its money is not divided again', async (_what, lie) => {
    const { closed, halted, distribution } = await runEngine(3, {
      weather: CALM,
      assets: [asset, asset],
      lying: inventing(lie),
    });
    expect({ closed, halted }).toEqual({ closed: 0, halted: expect.stringMatching(/^BOOKS_DISAGREE: /) });
    expect(distribution.filter(({ type }) => type === 'RunOpened')).toHaveLength(1);
  });
});

test.each([
  'sol',
  'token',
] as const)('a stranger who transfers what each payment in %s sums up to keeps no run open', async (asset) => {
  let ledger: ForkingLedger | undefined;
  let transfers = 0;
  const { closed, halted, paidTwice } = await runEngine(3, {
    weather: CALM,
    assets: [asset],
    beforeRun: (_run, given) => {
      ledger = given;
    },
    lying: (chain) => ({
      ...chain,
      async send(wire) {
        await chain.send(wire);
        const payment = paymentIn(wire);
        const [account] = payment === undefined ? [] : await chain.accounts([payment.pot], 'confirmed');
        if (payment === undefined || account === undefined) return;
        const data = Buffer.from(account.data);
        data.writeBigUInt64LE(data.readBigUInt64LE(64) + payment.sum, 64);
        const lamports = account.lamports + (asset === 'sol' ? payment.sum : 0n);
        ledger?.put(payment.pot, { ...account, lamports, data });
        transfers += 1;
      },
    }),
  });
  expect({ closed, halted, paidTwice }).toEqual({ closed: 1, halted: undefined, paidTwice: [] });
  expect(transfers).toBeGreaterThan(1);
});
