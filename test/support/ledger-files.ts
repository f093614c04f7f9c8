/** Makes the files of a run, computed plainly: what readers and verifiers must find in them. */
import { createHash } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import { type AllotmentHeader, createAllotmentWriter } from '../../src/distribution/ledger/allotment-file.ts';
import {
  compareRecords,
  createRecordSums,
  decodeRecord,
  type LedgerRecord,
  type Reason,
} from '../../src/distribution/ledger/ledger-record.ts';
import {
  createSettlementWriter,
  type LandedBatch,
  type RefusedPayment,
  type SettlementHeader,
} from '../../src/distribution/ledger/settlement-file.ts';
import type { RewardAsset } from '../../src/streams/distribution.ts';
import type { Refusal } from '../../src/streams/distribution-run.ts';
import type { ScanSums } from '../../src/streams/scan-sums.ts';
import { encodeRecord } from './encode-record.ts';

export const RUN_ID = '00000000-0000-4000-8000-000000000001';
const TOKEN_ID = '00000000-0000-5000-8000-000000000002';
const MINT = addressOf(Buffer.alloc(32, 9));

interface MadeFile<Header> {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly header: Header;
}

export interface MadeAllotment extends MadeFile<AllotmentHeader> {
  readonly root: string;
  /** In their order. */
  readonly records: readonly LedgerRecord[];
}

type Terms = Partial<
  Pick<
    AllotmentHeader,
    | 'runId'
    | 'tokenId'
    | 'mint'
    | 'previousRoot'
    | 'asset'
    | 'payeesSeenSince'
    | 'model'
    | 'minimumHolding'
    | 'leastShare'
    | 'minimumPayout'
    | 'divided'
    | 'sumOfWeights'
    | 'scan'
  >
>;

/** A scan of one answer, which adds up to the supply. */
function scanThatFinds(records: readonly LedgerRecord[]): ScanSums {
  const balances = `${records.reduce((sum, { kind, balance }) => sum + (kind === 'holder' ? balance : 0n), 0n)}`;
  const mint = { supply: balances, withheld: '0' };
  return {
    balances,
    withheld: '0',
    mint: [
      { slot: '99', ...mint },
      { slot: '105', ...mint },
    ],
    slack: '0',
    inOneAnswer: true,
  };
}

/** `pieces`: how many records are handed to the writer at once. */
export function makeAllotment(
  records: readonly LedgerRecord[],
  terms: Terms = {},
  pieces = 500,
): MadeAllotment {
  const sorted = records.map(encodeRecord).toSorted(compareRecords);
  const asset = terms.asset ?? 'sol';
  const sums = createRecordSums(asset);
  for (const record of sorted) sums.add(record);
  const header: AllotmentHeader = {
    previousRoot: null,
    model: 'proportional',
    minimumHolding: '0',
    leastShare: '0',
    minimumPayout: '1',
    divided: '1000000',
    sumOfWeights: '5000',
    payeesSeenSince: '104',
    scan: scanThatFinds(records),
    ...terms,
    format: 'levy-allotment-1',
    runId: RUN_ID,
    tokenId: TOKEN_ID,
    mint: MINT,
    asset,
    slots: ['100', '104'],
    records: sorted.length,
    payments: sums.payments(),
    sums: sums.sums(),
  };
  const writer = createAllotmentWriter(header);
  const parts = [writer.begin];
  for (let start = 0; start < sorted.length; start += pieces)
    parts.push(writer.add(Buffer.concat(sorted.slice(start, start + pieces))));
  parts.push(writer.end());
  const bytes = Buffer.concat(parts);
  return { bytes, sha256: sha256Of(bytes), header, root: writer.root(), records: sorted.map(decodeRecord) };
}

/** Numbered owners, apart from each other. */
export function ownerOf(number: number): string {
  const bytes = createHash('sha256').update(`owner ${number}`).digest();
  return addressOf(bytes);
}

/** A run over holders with these balances, as the engine allots it, with costs, a developer and an old debt. */
export function allotPlainly(
  balances: readonly bigint[],
  terms: { readonly asset: RewardAsset; readonly model: AllotmentHeader['model']; readonly divided: bigint },
): MadeAllotment {
  const [minimumHolding, leastShare, minimumPayout] = [50n, 3n, 10n];
  const weights = balances.map((balance) => {
    if (balance < minimumHolding) return 0n;
    return terms.model === 'proportional' ? balance : rootOf(balance);
  });
  const sumOfWeights = weights.reduce((sum, weight) => sum + weight, 0n);
  const holders = balances.map((balance, index): LedgerRecord => {
    const full = sumOfWeights === 0n ? 0n : (terms.divided * (weights[index] ?? 0n)) / sumOfWeights;
    const share = full >= leastShare ? full : 0n;
    const owedBefore = index % 7 === 0 ? BigInt(index) : 0n;
    const due = share + owedBefore;
    const planned = due >= minimumPayout ? due : 0n;
    return {
      kind: 'holder',
      owner: ownerOf(index),
      balance,
      basis: balance,
      share,
      owedBefore,
      planned,
      paidBefore: BigInt(index % 3),
      reason: reasonOf(due, planned, weights[index] ?? 0n),
    };
  });
  const others = { balance: 0n, basis: 0n, owedBefore: 0n, paidBefore: 0n, reason: 'planned' } as const;
  const records: readonly LedgerRecord[] = [
    ...holders,
    { ...others, kind: 'costs', owner: ownerOf(1_000_000), share: 5_000n, planned: 5_000n },
    // The developer holds the token as well.
    { ...others, kind: 'developer', owner: ownerOf(0), share: 777n, planned: 777n },
    { ...others, kind: 'debt', owner: ownerOf(1), share: 0n, owedBefore: 4_000n, planned: 4_000n },
  ];
  return makeAllotment(records, {
    ...terms,
    divided: `${terms.divided}`,
    minimumHolding: `${minimumHolding}`,
    leastShare: `${leastShare}`,
    minimumPayout: `${minimumPayout}`,
    sumOfWeights: `${sumOfWeights}`,
  });
}

function reasonOf(due: bigint, planned: bigint, weight: bigint): Reason {
  if (planned > 0n) return 'planned';
  if (due > 0n) return 'below-minimum-payout';
  return weight === 0n ? 'below-minimum-holding' : 'below-least-share';
}

function rootOf(square: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
}

export interface MadeSettlement extends MadeFile<SettlementHeader> {
  /** By record: what was found out by going through all of them. */
  readonly outcomes: readonly {
    readonly signature?: string;
    readonly slot?: bigint;
    readonly refusal?: Refusal;
  }[];
  readonly batches: readonly LandedBatch[];
}

export interface Course {
  /** How many payments the next transaction covers. */
  readonly stretch: (index: number) => number;
  /** Whether a transaction for the stretch landed at all. */
  readonly lands: (index: number) => boolean;
  readonly refuses: (asset: RewardAsset, number: number) => Refusal | undefined;
  /** What landed on a real chain, instead of a made-up transaction for each stretch. */
  readonly landed?: { readonly open: string; readonly payment: string; readonly slot: bigint };
  readonly dustAfter?: SettlementHeader['dustAfter'];
}

/** Settles an allotment by going through its records one by one. */
export function makeSettlement(allotment: MadeAllotment, course: Course, pieces = 100): MadeSettlement {
  const outcomes: { signature?: string; slot?: bigint; refusal?: Refusal }[] = allotment.records.map(
    () => ({}),
  );
  const batches: LandedBatch[] = [];
  const refusals: RefusedPayment[] = [];
  const settled = { sol: nothingSettled(), token: nothingSettled() };
  let stretches = 0;
  for (const [pot, asset] of (['sol', 'token'] as const).entries()) {
    const other = asset === 'sol' ? 'token' : 'sol';
    const paying = (kind: string) => (kind === 'debt') === (allotment.header.asset === other);
    const numbered = allotment.records
      .map((record, index) => ({ record, index }))
      .filter(({ record: { kind, planned } }) => paying(kind) && planned > 0n)
      .map((each, number) => ({ ...each, number }));
    settled[asset].payments = numbered.length;
    for (let from = 0; from < numbered.length; ) {
      const stretch = numbered.slice(from, from + Math.max(1, course.stretch(stretches)));
      const to = from + stretch.length;
      const refused = stretch.filter(({ number }) => course.refuses(asset, number) !== undefined);
      for (const { number, index } of refused) {
        const refusal = course.refuses(asset, number) ?? 'unknown';
        refusals.push({ asset, number, refusal });
        outcomes[index] = { refusal };
      }
      const paid = stretch.filter(({ number }) => course.refuses(asset, number) === undefined);
      if (course.lands(stretches) && paid.length > 0) {
        const { payment: signature, slot } = course.landed ?? {
          payment: base58(createHash('sha512').update(`${asset} ${from}`).digest()),
          slot: BigInt(1_000 + stretches),
        };
        const sum = paid.reduce((total, { record }) => total + record.planned, 0n);
        batches.push({ pot, from, to, signature, slot, sum });
        for (const { index } of paid) outcomes[index] = { signature, slot };
        settled[asset].batches += 1;
        settled[asset].paid += paid.length;
        settled[asset].sum += sum;
      }
      settled[asset].refused += refused.length;
      from = to;
      stretches += 1;
    }
  }
  const signature = base58(Buffer.alloc(64, 7));
  const header: SettlementHeader = {
    format: 'levy-settlement-1',
    runId: allotment.header.runId,
    tokenId: allotment.header.tokenId,
    mint: allotment.header.mint,
    allotment: allotment.sha256,
    root: allotment.root,
    sol: { ...settled.sol, sum: `${settled.sol.sum}` },
    token: { ...settled.token, sum: `${settled.token.sum}` },
    owedAfter: owedAfterOf(allotment, outcomes),
    dustAfter: course.dustAfter ?? { sol: '0', token: '0' },
    tillAfter: { address: addressOf(Buffer.alloc(32, 3)), lamports: '12345' },
    pots: [
      { asset: 'sol', address: addressOf(Buffer.alloc(32, 4)), allowance: '1000000', left: '5' },
      { asset: 'token', address: addressOf(Buffer.alloc(32, 5)), allowance: '1000000', left: '0' },
    ],
    transactions: {
      withdraw: [signature],
      split: [signature],
      open: [course.landed?.open ?? signature],
      close: [signature],
    },
  };
  const writer = createSettlementWriter(header);
  const parts = [writer.begin];
  for (let start = 0; start < batches.length; start += pieces)
    parts.push(writer.landed(batches.slice(start, start + pieces)));
  for (let start = 0; start < refusals.length; start += pieces)
    parts.push(writer.refused(refusals.slice(start, start + pieces)));
  writer.end();
  const bytes = Buffer.concat(parts);
  return { bytes, sha256: sha256Of(bytes), header, outcomes, batches };
}

function nothingSettled() {
  return { payments: 0, batches: 0, paid: 0, sum: 0n, refused: 0 };
}

function owedAfterOf(
  { header, records }: MadeAllotment,
  outcomes: MadeSettlement['outcomes'],
): SettlementHeader['owedAfter'] {
  const owed = { sol: 0n, token: 0n };
  const other = header.asset === 'sol' ? 'token' : 'sol';
  for (const [index, { kind, owedBefore, share, planned }] of records.entries())
    owed[kind === 'debt' ? other : header.asset] +=
      owedBefore + share - (outcomes[index]?.signature === undefined ? 0n : planned);
  return { sol: `${owed.sol}`, token: `${owed.token}` };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads the files from memory. */
export function blobsOf(...files: readonly { readonly bytes: Buffer; readonly sha256: string }[]) {
  return {
    read: async (sha256: string, offset: number, length: number) =>
      files.find((file) => file.sha256 === sha256)?.bytes.subarray(offset, offset + length),
  };
}
