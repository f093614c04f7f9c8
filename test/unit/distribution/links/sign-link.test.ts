// A link is signed with the rates, rents and fees of the latest slot, exactly as it was simulated.
import type { Instruction } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import type { KeyPair } from '../../../../src/chain/keys.ts';
import { unwrapLamports } from '../../../../src/chain/payment-instructions.ts';
import type { DrivenTill, TillsShown } from '../../../../src/distribution/links/judge-links.ts';
import { linkOf, recordLink } from '../../../../src/distribution/links/link-content.ts';
import { signLink } from '../../../../src/distribution/links/till-driver.ts';
import { linkInstructions } from '../../../../src/distribution/once/till-chain.ts';
import type { SaleVenue } from '../../../../src/distribution/selling/sale-venue.ts';
import type { Sender } from '../../../../src/distribution/sending/sender.ts';
import { type Chain, type ChainAccount, ChainAnswerInvalid } from '../../../../src/kernel/ports/chain.ts';
import type { LinkAction } from '../../../../src/streams/distribution.ts';
import { runOpened, tills } from '../../../support/distribution-examples.ts';
import { addresses, signatures } from '../../../support/domain-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { NOW, only, TOKEN, taxedMint, tokenAccount } from '../../../support/run-examples.ts';

const RENT = 2_039_280n;
const payer = TOKEN.distributor.address;
const till = tills.first;
const rateOf = (epoch: bigint) => ({ epoch, basisPoints: 300, maximumFee: 1_000_000_000n });

async function signedLink(
  actions: readonly LinkAction[],
  {
    previous = till as string | null,
    spent = tokenAccount({ amount: 700n }) as ChainAccount | 'none',
    error = undefined as string | undefined,
  } = {},
) {
  const asked: unknown[] = [];
  const did: {
    simulated?: readonly Instruction[];
    signed?: readonly Instruction[];
    keys?: readonly KeyPair[];
  } = {};
  let [units, priced] = [0, [] as readonly string[]];
  const chain = only<Chain>('the chain', {
    epoch: async () => 701n,
    async accounts(_addresses, commitment, options) {
      asked.push(['mint', commitment, options]);
      return [taxedMint({ supply: 1_000n, withheld: 0n })];
    },
    rentExemption: async () => RENT,
    recentBlockhash: async () => ({ blockhash: TOKEN.mint, lastValidBlockHeight: 600n }),
  });
  const fresh = {
    wire: new Uint8Array(),
    signature: signatures.first,
    lastValidBlockHeight: 600n,
    fee: 5_000n,
  };
  const sent: unknown[] = [];
  const sender = only<Sender>('the sender', {
    async price(writable) {
      priced = writable;
      return 0n;
    },
    async simulate(instructions, by, options) {
      did.simulated = instructions;
      asked.push(['simulation', by, options]);
      return { slot: 4_200n, error, logs: [], unitsConsumed: 9, wire: new Uint8Array() };
    },
    async sign(instructions, keys, used) {
      Object.assign(did, { signed: instructions, keys });
      units = used;
      return fresh;
    },
    async send(signed) {
      sent.push(signed);
    },
  });
  const link = recordLink({ number: 2, previous, actions }, TOKEN);
  const memory = { links: new Map(), absences: new Map(), searches: new Map() };
  const latest = {
    slot: 4_205n,
    accountOf: (address: string) => (address === till && spent !== 'none' ? spent : undefined),
  };
  const driven = {
    parts: {
      chain,
      sender,
      markets: { venueOf: () => only<SaleVenue>('a venue') },
      keyring: { distributorOfRun: () => ({ ...keyOf(6_902), address: addresses.creator }) },
      clock: { now: () => NOW },
    },
    view: { open: runOpened.data, token: TOKEN },
    memory,
    final: { slot: 4_200n },
  } as unknown as DrivenTill;
  const progress = await signLink(driven, link, latest as TillsShown, previous ?? undefined);
  return { progress, link, memory, did, asked, sent, fresh, units, priced };
}

const BURN: LinkAction = { kind: 'burn', amount: '5' };

test('what was simulated is signed, remembered and sent', async () => {
  const { progress, link, memory, did, asked, sent, fresh, units, priced } = await signedLink([BURN]);
  expect(progress).toEqual({
    kind: 'wait',
    waiting: {
      for: expect.objectContaining({
        code: 'finality',
        detail: 'The link that makes till 2 is on its way to being final.',
      }),
      pause: 400,
    },
  });
  expect(did.signed).toBe(did.simulated);
  expect(did.keys).toEqual([TOKEN.distributor, TOKEN.wallet]);
  expect([units, memory.links.get(link.till), sent]).toEqual([9, fresh, [fresh]]);
  expect(priced).toEqual([payer, TOKEN.wallet.address]);
  // From the slot that showed the tills, or later.
  expect(asked).toEqual([
    ['mint', 'confirmed', { atLeastSlot: 4_205n }],
    ['simulation', payer, { atLeastSlot: 4_205n }],
  ]);
});

test('it holds the chain to the tax of now', async () => {
  const { did, link } = await signedLink([{ kind: 'revoke', delegate: addresses.creator, left: '9000' }]);
  const conditions = { rent: RENT, venueOf: () => only<SaleVenue>('a venue'), lamportsFor: () => 0n };
  const instructionsAt = (epoch: bigint) =>
    linkInstructions(linkOf(link, TOKEN, { ...conditions, tax: rateOf(epoch) }), payer, {
      today: RENT,
      ofPrevious: RENT,
    });
  expect(did.simulated).toEqual(instructionsAt(700n));
});

test('nothing is signed where a node shows that more was lent for the till than any rent', async () => {
  const account = tokenAccount({ amount: 700n });
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(3_000_000_000n, 113);
  await expect(signedLink([BURN], { spent: { ...account, data, lamports: 4_000_000_000n } })).rejects.toThrow(
    ChainAnswerInvalid,
  );
});

test('the rent of the till that it spends goes back to whoever lent it', async () => {
  const returned = (instructions: readonly Instruction[] | undefined, made: string) =>
    instructions?.some(
      (instruction) =>
        JSON.stringify(instruction) ===
        JSON.stringify(
          unwrapLamports({ from: made, to: payer, authority: TOKEN.wallet.address, lamports: RENT }),
        ),
    );
  const { did, link } = await signedLink([BURN]);
  expect(returned(did.simulated, link.till)).toBe(true);
  for (const spent of ['none' as const, { owner: payer, lamports: 1n, data: new Uint8Array() }]) {
    const without = await signedLink([BURN], { spent });
    expect(without.progress).toMatchObject({ kind: 'wait' });
    expect(without.did.simulated).toHaveLength((did.simulated?.length ?? 0) - 1);
  }
  const first = await signedLink([BURN], { previous: null });
  expect(returned(first.did.simulated, first.link.till)).toBe(false);
});

test('what the chain would refuse is not signed, and why is said', async () => {
  const error = '{"InstructionError":[0,{"Custom":77}]}';
  const { progress, link, did, sent, memory } = await signedLink([BURN], { error });
  expect(progress).toMatchObject({
    stuck: link,
    why: { code: 'transaction-refused', detail: 'The chain does not take link 2.' },
  });
  expect([did.signed, sent, memory.links.size]).toEqual([undefined, [], 0]);
});
