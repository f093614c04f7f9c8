import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSettlementWriter,
  openSettlement,
  type SettlementHeader,
} from '../../../../src/distribution/ledger/settlement-file.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import { REFUSALS } from '../../../../src/streams/distribution-run.ts';
import { allotPlainly, makeSettlement } from '../../../support/ledger-files.ts';

const reading = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

const allotment = allotPlainly(
  Array.from({ length: 400 }, (_, index) => BigInt(index * 13)),
  { asset: 'sol', model: 'proportional', divided: 3_000_000n },
);

/** How long stretches are, which of them land, and which payments are refused, drawn at random. */
const course = fc
  .record({
    stretches: fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 8 }),
    landing: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
    refusing: fc.array(fc.option(fc.constantFrom(...REFUSALS)), { minLength: 1, maxLength: 40 }),
  })
  .map(({ stretches, landing, refusing }) => ({
    stretch: (index: number) => stretches[index % stretches.length] ?? 1,
    lands: (index: number) => landing[index % landing.length] ?? true,
    refuses: (_asset: string, number: number) => refusing[number % refusing.length] ?? undefined,
  }));

const allPaid = { stretch: () => 61, lands: () => true, refuses: () => undefined };

const outcomeOf = async (
  settlement: Awaited<ReturnType<typeof openSettlement>>,
  asset: RewardAsset,
  number: number,
) => (await settlement.outcomes(asset, number, 1)).of(number);

describe('a settlement', () => {
  test('says of every payment what became of it, alone and among others', async () => {
    await fc.assert(
      fc.asyncProperty(course, fc.nat(), fc.nat({ max: 90 }), async (taken, some, count) => {
        const made = makeSettlement(allotment, taken);
        const settlement = await openSettlement(reading(made.bytes));
        expect(settlement.header).toEqual(made.header);
        for (const asset of ['sol', 'token'] as const) {
          const expected = allotment.records.flatMap(({ kind, planned }, index) =>
            planned > 0n && (kind === 'debt') === (asset === 'token') ? [made.outcomes[index]] : [],
          );
          const total = made.header[asset].payments;
          expect(total).toBe(expected.length);
          const from = some % total;
          const stretch = Math.min(count + 1, total - from);
          const outcomes = await settlement.outcomes(asset, from, stretch);
          for (let number = from; number < from + stretch; number++) {
            const { signature, slot, refusal } = expected[number] ?? {};
            const outcome = outcomes.of(number);
            if (signature !== undefined) expect(outcome).toEqual({ status: 'paid', signature, slot });
            else if (refusal !== undefined) expect(outcome).toEqual({ status: 'refused', refusal });
            else expect(outcome).toEqual({ status: 'unpaid' });
            expect(outcomes.paid[number - from]).toBe(signature === undefined ? 0 : 1);
          }
          expect(await outcomeOf(settlement, asset, from)).toEqual(outcomes.of(from));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('weighs what is kept of it: the whole file', async () => {
    const refuses = (asset: string, number: number) =>
      asset === 'sol' && number % 2 === 0 ? ('frozen' as const) : undefined;
    const { bytes } = makeSettlement(allotment, { ...allPaid, stretch: () => 1, refuses });
    expect((await openSettlement(reading(bytes))).weight).toBe(bytes.length - 4);
  });

  test('of a run that paid nobody says so of everybody', async () => {
    const empty = allotPlainly([], { asset: 'token', model: 'square-root', divided: 0n });
    const settlement = await openSettlement(
      reading(makeSettlement(empty, { ...allPaid, lands: () => false }).bytes),
    );
    expect(await outcomeOf(settlement, 'sol', 0)).toEqual({ status: 'unpaid' });
    expect((await settlement.outcomes('token', 0, 3)).paid).toEqual(new Uint8Array(3));
  });

  describe('is not written', () => {
    const made = makeSettlement(allotment, allPaid);
    const [first, second] = made.batches;
    if (first === undefined || second === undefined) throw new Error('there are two transactions');
    const writer = (header: SettlementHeader = made.header) => createSettlementWriter(header);

    test('with transactions that overlap, are out of order, or pay nobody', () => {
      expect(() => writer().landed([second, first])).toThrow('is out of order');
      expect(() => writer().landed([first, { ...second, from: second.from - 1 }])).toThrow('is out of order');
      expect(() => writer().landed([{ ...first, to: first.from }])).toThrow('is out of order');
      expect(() => writer().landed([{ ...first, to: 100_000 }])).toThrow('payment 99999 is out of range');
      expect(() => writer().landed([{ ...first, pot: 7 }])).toThrow('pot index 7 is out of range');
      for (const signature of ['abc', 'not base58'])
        expect(() => writer().landed([{ ...first, signature }])).toThrow(`${signature} is not a signature`);
      const ofTokens = made.batches.find(({ pot }) => pot === 1);
      if (ofTokens === undefined) throw new Error('there is a transaction of the other asset');
      expect(() => writer().landed([ofTokens, first])).toThrow('is out of order');
      const beyond = made.header.token.payments + 1;
      expect(() => writer().landed([{ ...ofTokens, to: beyond }])).toThrow(
        `payment ${beyond - 1} is out of range`,
      );
    });

    test('with refusals that are out of order, twice there, or of no payment', () => {
      const refusal = { asset: 'sol', number: 3, refusal: 'frozen' } as const;
      expect(() => writer().refused([refusal, refusal])).toThrow('is out of order');
      expect(() => writer().refused([{ ...refusal, asset: 'token', number: 0 }, refusal])).toThrow(
        'is out of order',
      );
      for (const number of [made.header.sol.payments, 100_000])
        expect(() => writer().refused([{ ...refusal, number }])).toThrow(`payment ${number} is out of range`);
    });

    test('under a header that says something else', () => {
      const ended = (sol: object) => () => {
        const other = writer({ ...made.header, sol: { ...made.header.sol, ...sol } });
        other.landed(made.batches);
        other.end();
      };
      expect(ended({})).not.toThrow();
      expect(ended({ paid: 1 })).toThrow('the header has paid 1');
      expect(ended({ sum: '1' })).toThrow('the header has sum 1');
      expect(ended({ batches: 1 })).toThrow('the header has batches 1');
      expect(ended({ refused: 1 })).toThrow('the header has refused 1');
    });
  });

  test('is refused where it is cut off or something else', async () => {
    const { bytes } = makeSettlement(allotment, allPaid);
    const cut = openSettlement(reading(bytes.subarray(0, bytes.length - 100)));
    await expect(cut).rejects.toThrow('the settlement is truncated');
    const refusing = makeSettlement(allotment, { ...allPaid, refuses: () => 'frozen' });
    const ofNoReason = refusing.bytes.with(refusing.bytes.length - 1, REFUSALS.length);
    const unknown = outcomeOf(await openSettlement(reading(ofNoReason)), 'token', 0);
    await expect(unknown).rejects.toThrow('payment 0 has an unknown refusal');
    await expect(openSettlement(reading(allotment.bytes))).rejects.toThrow(
      'the header of the settlement is invalid',
    );
  });
});
