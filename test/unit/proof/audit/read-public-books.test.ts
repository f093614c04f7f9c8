// The books as everybody can read them say what the log's books say, or there are none: pages, files and transactions must fit.
import { compileLegacyMessage, TOKEN_2022_PROGRAM, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { bookedBatches } from '../../../../src/proof/audit/booked-batches.ts';
import {
  LedgerFileInvalid,
  readAllotment,
  readSettlement,
} from '../../../../src/proof/audit/ledger-files.ts';
import { createPaidPlaces, paidPlaces } from '../../../../src/proof/audit/paid-places.ts';
import { bookedAmounts } from '../../../../src/proof/audit/read-books.ts';
import { type PublicRun, readPublicBooks } from '../../../../src/proof/audit/read-public-books.ts';
import type { LevyEvent } from '../../../../src/streams/index.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';
import { type GeneratedRun, generateRuns } from '../../../support/generated-runs.ts';
import { makeAllotment, makeSettlement, ownerOf } from '../../../support/ledger-files.ts';

const [DISTRIBUTOR, DELEGATE] = [ownerOf(1_000_000), ownerOf(7)];
const generated = generateRuns(
  5,
  { tokenId: ids.tokenId, mint: addresses.mint },
  { owners: 40, assets: ['sol', 'token'] },
);
const files = new Map(
  generated.flatMap(({ allotment, settlement }) =>
    [allotment, settlement].map(({ sha256, bytes }) => [sha256, bytes] as const),
  ),
);

/** The run as `GET /distribution/:tokenId/runs/:runId` tells it. */
function pageOf({ runId, asset, allotment, settlement, events }: GeneratedRun): PublicRun {
  const of = <Type extends LevyEvent['type']>(type: Type) =>
    events.flatMap(({ event }) => (event.type === type ? [event as Extract<LevyEvent, { type: Type }>] : []));
  const landed = (purpose: string) =>
    of('LinksLanded')
      .filter(({ data }) => data.purpose === purpose)
      .flatMap(({ data }) => data.links.map(({ signature }) => signature));
  const [closed] = of('RunClosed');
  const [allotted] = of('RunAllotted');
  if (closed === undefined || allotted === undefined) throw new Error('the run is not closed');
  return {
    runId,
    asset,
    amounts: closed.data.amounts,
    paidDebts: closed.data.paidDebts,
    paidTo: closed.data.paidTo,
    transactions: {
      begin: landed('begin'),
      withdraw: of('TaxCollected').flatMap(({ data }) => data.withdraw),
      split: landed('split'),
      open: landed('open'),
      close: landed('close'),
    },
    pots: allotted.data.pots,
    ledger: { sha256: allotment.sha256, settlementSha256: settlement.sha256, root: allotment.root },
  };
}
const pages = generated.map(pageOf);

/** Instructions of the token program: the key may pay, and may not pay any more. */
const APPROVE = [4, 5, 0, 0, 0, 0, 0, 0, 0];
const REVOKE = [5];

/** The transaction that gives a key the right to pay from these accounts. */
const approvalOf = (...accounts: readonly string[]) =>
  openingOf(accounts.map((account) => [account, APPROVE] as const));

function openingOf(instructions: readonly (readonly [account: string, data: readonly number[]])[]) {
  const { bytes } = compileLegacyMessage({
    payer: addresses.creator,
    recentBlockhash: addresses.mint,
    instructions: instructions.map(([account, data]) => ({
      program: TOKEN_2022_PROGRAM,
      accounts: [
        { address: account, signer: false, writable: true },
        { address: DELEGATE, signer: false, writable: false },
        { address: addresses.distributionWallet, signer: true, writable: false },
      ],
      data: Uint8Array.from(data),
    })),
  });
  return unsignedTransaction(bytes);
}

function read({
  runs = pages,
  file = async (sha256: string) => files.get(sha256),
  landed = {},
}: {
  readonly runs?: readonly PublicRun[];
  readonly file?: (sha256: string) => Promise<Uint8Array | undefined>;
  readonly landed?: { readonly [signature: string]: Uint8Array };
} = {}) {
  return readPublicBooks({
    mint: addresses.mint,
    wallet: addresses.distributionWallet,
    distributor: DISTRIBUTOR,
    markerOf: (wallet) => `marker of ${wallet}`,
    runs,
    file,
    chain: {
      transaction: async (signature) => {
        const wire = landed[signature];
        return wire && { slot: 1, wire, fee: 5_000n, error: undefined, logs: [] };
      },
    },
  });
}

describe('the books of closed runs', () => {
  test('say for whom each payment was, what each run has divided, and by which steps', async () => {
    const books = await read();
    expect(books).toMatchObject({
      mint: addresses.mint,
      wallet: addresses.distributionWallet,
      distributor: DISTRIBUTOR,
      marker: `marker of ${addresses.distributionWallet}`,
    });
    for (const [index, run] of books.runs.entries()) {
      const page = pages[index];
      const { allotment, settlement } = generated[index] ?? {};
      expect(run.amounts).toEqual(page && bookedAmounts(page.amounts, page.paidDebts));
      expect(run.steps).toEqual({
        withdraw: page?.transactions.withdraw,
        split: page?.transactions.split,
        open: page?.transactions.open,
      });
      const paid = paidPlaces(run.batches);
      expect([...run.records].map((_record, place) => paid.has(place))).toEqual(
        settlement?.outcomes.map(({ signature }) => signature !== undefined),
      );
      const planned = (place: number) => allotment?.records[place]?.planned;
      for (const { payments } of run.batches)
        for (const { record, amount } of payments) expect(amount).toBe(planned(record));
    }
  });

  test('name every link of the till chain, what it burned, and the last till of each run', async () => {
    const { links } = await read();
    const expected = pages.flatMap(({ transactions: { begin, split, open, close }, amounts }) =>
      [...begin, ...split, ...open, ...close].map((signature) => ({
        signature,
        burned: split.includes(signature) ? BigInt(amounts.burned) : 0n,
      })),
    );
    expect(links).toMatchObject(expected.map((link, number) => ({ ...link, number })));
    const last = pages.map(({ transactions: { close } }) => close.at(-1));
    expect(links.filter(({ till }) => till !== undefined).map(({ signature }) => signature)).toEqual(last);
  });

  test('say what is left in the till and in the account behind the last of them', async () => {
    const { settlement } = generated.at(-1) as GeneratedRun;
    const { owedAfter, dustAfter } = readSettlement(settlement.sha256, settlement.bytes);
    const { developer, holders } = pages.at(-1)?.amounts.keptAfter ?? { developer: '0', holders: '0' };
    const { inTill, inAccount } = await read();
    expect(inTill).toBe(owedAfter.sol + dustAfter.sol);
    expect(inAccount).toBe(BigInt(developer) + BigInt(holders) + owedAfter.token + dustAfter.token);
    expect(inTill > 0n && inAccount > 0n).toBe(true);
  });

  test('count the dust of both assets with what is left', async () => {
    const [page] = pages as [PublicRun, ...PublicRun[]];
    const { allotment } = generated[0] as GeneratedRun;
    const course = { stretch: () => 5, lands: () => true, refuses: () => undefined };
    const { sha256, bytes } = makeSettlement(allotment, { ...course, dustAfter: { sol: '7', token: '11' } });
    const { owedAfter } = readSettlement(sha256, bytes);
    const { developer, holders } = page.amounts.keptAfter;
    const ledger = { sha256: allotment.sha256, root: allotment.root, settlementSha256: sha256 };
    const { inTill, inAccount } = await read({
      runs: [{ ...page, ledger }],
      file: async (name) => (name === sha256 ? bytes : files.get(name)),
    });
    expect(inTill).toBe(owedAfter.sol + 7n);
    expect(inAccount).toBe(BigInt(developer) + BigInt(holders) + owedAfter.token + 11n);
  });

  test('say who was paid what', async () => {
    const paidTo = { costs: '1', developer: '2', holders: '3', holdersPaid: 4 };
    const [first] = pages as [PublicRun];
    const { runs } = await read({ runs: [{ ...first, paidTo }] });
    expect(runs[0]?.paidTo).toEqual({ costs: 1n, developer: 2n, holders: 3n, holdersPaid: 4n });
  });

  test('are empty, and nothing is left, before the first run', async () => {
    expect(await read({ runs: [] })).toMatchObject({ runs: [], links: [], inTill: 0n, inAccount: 0n });
  });
});

describe('the key that pays from a pot', () => {
  const [page] = pages;
  const [sol, own] = page?.pots ?? [];
  const delegatesWith = async (landed: { readonly [signature: string]: Uint8Array }) => {
    const books = await read({ runs: page === undefined ? [] : [page], landed });
    return books.runs[0]?.pots.map(({ delegate }) => delegate);
  };
  const opening = page?.transactions.open.at(-1) ?? '';

  test('is the distributor for SOL, and for tokens the one that the chain shows to be approved', async () => {
    expect(await delegatesWith({ [opening]: approvalOf(own?.address ?? '') })).toEqual([
      DISTRIBUTOR,
      DELEGATE,
    ]);
    // What is done with the account before is no approval.
    const account = own?.address ?? '';
    const landed = openingOf([
      [account, REVOKE],
      [account, APPROVE],
    ]);
    expect(await delegatesWith({ [opening]: landed })).toEqual([DISTRIBUTOR, DELEGATE]);
  });

  test('is nobody where the chain shows no approval, or one of another account', async () => {
    expect(await delegatesWith({})).toEqual([DISTRIBUTOR, 'nobody']);
    expect(await delegatesWith({ [opening]: approvalOf(sol?.address ?? '') })).toEqual([
      DISTRIBUTOR,
      'nobody',
    ]);
    expect(await delegatesWith({ [opening]: Uint8Array.of(1, 2, 3) })).toEqual([DISTRIBUTOR, 'nobody']);
  });
});

describe('no books are read', () => {
  const [first] = pages as [PublicRun, ...PublicRun[]];
  const ledger = first.ledger ?? { sha256: '', settlementSha256: '', root: '' };
  const other = makeAllotment([], { asset: 'sol' });

  test.each<[string, PublicRun]>([
    ['of a run without a ledger', { ...first, ledger: null }],
    ['of a run without a settlement', { ...first, ledger: { ...ledger, settlementSha256: null } }],
  ])('%s, which is not closed', async (_what, run) => {
    await expect(read({ runs: [run] })).rejects.toThrow(
      new LedgerFileInvalid(`the run ${first.runId} is not closed`),
    );
  });

  test.each<[string, PublicRun]>([
    ['where the page names another root', { ...first, ledger: { ...ledger, root: 'ab'.repeat(32) } }],
    ['where the run is said to pay something else', { ...first, asset: 'token' }],
    ['where the ledger is of another run', { ...first, ledger: { ...ledger, sha256: other.sha256 } }],
  ])('%s', async (_what, run) => {
    const file = async (sha256: string) => (sha256 === other.sha256 ? other.bytes : files.get(sha256));
    await expect(read({ runs: [run], file })).rejects.toThrow(LedgerFileInvalid);
  });

  test('where a file is missing', async () => {
    for (const missing of [ledger.sha256, ledger.settlementSha256])
      await expect(
        read({ file: async (sha256) => (sha256 === missing ? undefined : files.get(sha256)) }),
      ).rejects.toThrow(LedgerFileInvalid);
  });
});

describe('the payments of a batch', () => {
  const holder = {
    kind: 'holder',
    owner: ownerOf(1),
    balance: 1n,
    basis: 1n,
    share: 9n,
    owedBefore: 0n,
    planned: 9n,
    paidBefore: 0n,
    reason: 'planned',
  } as const;
  const made = makeAllotment([
    holder,
    { ...holder, owner: ownerOf(2), planned: 0n, reason: 'below-minimum-payout' },
    { ...holder, owner: ownerOf(3), planned: 7n },
    { ...holder, kind: 'debt', owner: ownerOf(1), planned: 5n },
  ]);
  const allotment = readAllotment(made.sha256, made.bytes);
  const placeOf = (kind: string, planned: bigint) =>
    made.records.findIndex((record) => record.kind === kind && record.planned === planned);
  const stretch = { pot: 'pot', from: 0, to: 2, without: [], signature: 'x' } as const;
  const paidBy = (asset: 'sol' | 'token', without: readonly number[] = []) =>
    bookedBatches(allotment, [{ ...stretch, asset, without }])[0]?.payments.map(({ record, amount }) => [
      record,
      amount,
    ]);

  test('are of those who are paid in its asset, in the order of the ledger: debts are in the other one', () => {
    const shares = [placeOf('holder', 9n), placeOf('holder', 7n)].toSorted((one, two) => one - two);
    expect(paidBy('sol')).toEqual(shares.map((place) => [place, made.records[place]?.planned]));
    expect(paidBy('token')).toEqual([[placeOf('debt', 5n), 5n]]);
  });

  test('are not those that were refused', () => {
    expect(paidBy('sol', [0])).toEqual(paidBy('sol')?.slice(1));
    expect(paidBy('sol', [1])).toEqual(paidBy('sol')?.slice(0, 1));
  });
});

test('a record that a batch has paid is known, however many there are, and its neighbours are not', () => {
  const places = createPaidPlaces();
  for (const record of [0, 7, 8, 8_191, 8_192, 100_000]) {
    expect(places.has(record)).toBe(false);
    expect(places.add(record)).toBe(true);
    expect(places.add(record)).toBe(false);
    expect(places.has(record)).toBe(true);
    expect(places.has(record + 2)).toBe(false);
  }
  for (const record of [0, 7, 8, 8_191, 8_192, 100_000]) expect(places.has(record)).toBe(true);
  expect([1, 6, 9, 8_190, 8_193, 99_999, 200_000].some((record) => places.has(record))).toBe(false);
});
