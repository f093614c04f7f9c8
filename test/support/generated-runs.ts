/**
 * Runs of a token's distribution, made up from a seed: the events that an engine would record, and the files that it would
 * write. Amounts are computed plainly, owner by owner, and share nothing with the engine.
 */
import { createHash } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import { KINDS, type Kind, type LedgerRecord } from '../../src/distribution/ledger/ledger-record.ts';
import {
  type CarriedOver,
  LinksLanded,
  NOTHING_CARRIED,
  type RewardAsset,
  RunClosed,
  RunOpened,
} from '../../src/streams/distribution.ts';
import {
  BatchesSettled,
  HoldersScanned,
  RunAllotted,
  TaxCollected,
  TaxSplit,
} from '../../src/streams/distribution-run.ts';
import type { LevyEvent } from '../../src/streams/index.ts';
import { holdersScanned, runOpened, taxCollected, taxSplit } from './distribution-examples.ts';
import {
  type MadeAllotment,
  type MadeSettlement,
  makeAllotment,
  makeSettlement,
  ownerOf,
} from './ledger-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-05-04T10:00:00.000Z');
const MINIMUM_PAYOUT = 1_000n;

export interface GeneratedRun {
  readonly runId: string;
  readonly asset: RewardAsset;
  readonly allotment: MadeAllotment;
  readonly settlement: MadeSettlement;
  /** Events of the streams `distribution-<tokenId>` and `run-<runId>`, in order. */
  readonly events: readonly { readonly event: LevyEvent; readonly occurredAt: string }[];
}

export interface GeneratedToken {
  readonly tokenId: string;
  readonly mint: string;
}

/** The same runs for the same seed. `assets` says what each run pays. */
export function generateRuns(
  seed: number,
  { tokenId, mint }: GeneratedToken,
  { owners, assets }: { readonly owners: number; readonly assets: readonly RewardAsset[] },
): readonly GeneratedRun[] {
  const random = randomOf(seed);
  /** Amounts by asset, kind and owner. */
  const owed = createAccounts();
  const paid = createAccounts();
  let carried: CarriedOver = NOTHING_CARRIED;
  const developerWallet = ownerOf(0);
  const distributor = ownerOf(1_000_000);

  return assets.map((asset, place) => {
    const number = place + 1;
    const other = asset === 'sol' ? 'token' : 'sol';
    const runId = uuidOf(`${tokenId} ${number}`);
    const identity = { runId, tokenId };
    const at = (minutes: number) => new Date(START + number * HOUR + minutes * MINUTE).toISOString();

    const collected = random(1_000_000_000n);
    const burned = collected / 10n;
    const sold = { developer: collected / 10n, holders: collected - burned - collected / 10n };
    const soldTogether = sold.developer + sold.holders;
    const proceeds = asset === 'sol' ? soldTogether * 3n : 0n;
    const costs = asset === 'sol' ? min(5_000n, proceeds) : 0n;
    const rest = proceeds - costs;
    const developer =
      asset === 'token' ? sold.developer : soldTogether === 0n ? 0n : (rest * sold.developer) / soldTogether;
    const holders = asset === 'token' ? sold.holders : rest - developer;

    const balances = Array.from({ length: owners }, () => (random(4n) === 0n ? 0n : random(1_000_000n)));
    const weights = balances.reduce((sum, balance) => sum + balance, 0n);
    const records: LedgerRecord[] = [];
    const add = (kind: Kind, owner: string, balance: bigint, share: bigint) => {
      const owedBefore = kind === 'debt' ? owed.together(other, owner) : owed.of(asset, kind, owner);
      const paidBefore = kind === 'debt' ? paid.together(other, owner) : paid.of(asset, kind, owner);
      const due = owedBefore + share;
      const planned = due >= MINIMUM_PAYOUT ? due : 0n;
      const isKnown = owedBefore > 0n || paidBefore > 0n;
      if (!isKnown && (kind === 'debt' || (share === 0n && balance === 0n))) return;
      const reason =
        planned > 0n
          ? 'planned'
          : due > 0n
            ? 'below-minimum-payout'
            : balance === 0n
              ? 'below-minimum-holding'
              : 'below-least-share';
      const taken = kind === 'holder' ? balance : 0n;
      const amounts = { balance: taken, basis: taken, share, owedBefore, planned, paidBefore };
      records.push({ kind, owner, ...amounts, reason });
    };
    for (const [index, balance] of balances.entries()) {
      add('holder', ownerOf(index), balance, weights === 0n ? 0n : (holders * balance) / weights);
      add('debt', ownerOf(index), 0n, 0n);
    }
    add('developer', developerWallet, 0n, developer);
    add('costs', distributor, 0n, costs);
    add('debt', distributor, 0n, 0n);

    const shares = sumOf(
      records.filter(({ kind }) => kind === 'holder'),
      ({ share }) => share,
    );
    const allotment = makeAllotment(records, {
      runId,
      tokenId,
      mint,
      previousRoot: carried.root,
      asset,
      divided: `${holders}`,
      sumOfWeights: `${weights}`,
      minimumPayout: `${MINIMUM_PAYOUT}`,
    });
    const refusing = random(5n);
    const settlement = makeSettlement(allotment, {
      stretch: (index) => 1 + ((index * 7) % 13),
      lands: (index) => (index + number) % 5 !== 4,
      refuses: (_asset, payment) => (BigInt(payment) % 7n === refusing ? 'frozen' : undefined),
    });

    const paidNow = { sol: 0n, token: 0n };
    const wallets = new Set<string>();
    const paidTo = { costs: 0n, developer: 0n, holder: 0n };
    let holdersPaid = 0;
    for (const [index, record] of allotment.records.entries()) {
      const { kind, owner, share, owedBefore, planned } = record;
      const landed = settlement.outcomes[index]?.signature === undefined ? 0n : planned;
      if (landed > 0n) wallets.add(owner);
      if (kind === 'debt') {
        paidNow[other] += landed;
        if (landed > 0n) {
          owed.clear(other, owner);
          const as = owner === distributor ? 'costs' : 'holder';
          paid.set(other, as, owner, paid.of(other, as, owner) + landed);
        }
        continue;
      }
      paidNow[asset] += landed;
      paidTo[kind] += landed;
      if (kind === 'holder' && landed > 0n) holdersPaid += 1;
      owed.set(asset, kind, owner, owedBefore + share - landed);
      paid.set(asset, kind, owner, record.paidBefore + landed);
    }

    const { header } = allotment;
    const planned = BigInt(header.payments[asset].sum);
    const before = carried;
    carried = {
      ...NOTHING_CARRIED,
      owed: { sol: `${owed.total('sol')}`, token: `${owed.total('token')}` },
      root: allotment.root,
      ledger: allotment.sha256,
      settlement: settlement.sha256,
    };
    const inDigits = ({ developer: one, holders: two }: { developer: bigint; holders: bigint }) => ({
      developer: `${one}`,
      holders: `${two}`,
    });
    const amounts = {
      kept: NOTHING_CARRIED.kept,
      collected: `${collected}`,
      burned: `${burned}`,
      sold: inDigits(sold),
      ownTax: taxSplit.data.ownTax,
      keptAfter: NOTHING_CARRIED.kept,
      proceeds: `${proceeds}`,
      costs: `${costs}`,
      developer: `${developer}`,
      holders: `${holders}`,
      dust: '0',
      dustAfter: `${holders - shares}`,
      shares: `${shares}`,
      owed: before.owed[asset],
      owedAfter: carried.owed[asset],
      planned: `${planned}`,
      paid: `${paidNow[asset]}`,
    };
    const pots = (['sol', 'token'] as const).map((each, index) => ({
      asset: each,
      address: ownerOf(2_000_000 + 2 * number + index),
      delegate: distributor,
      seed: `pot-${index}`,
      from: 0,
      to: header.payments[each].count,
      allowance: header.payments[each].sum,
    }));
    const left = pots.map(({ allowance }) => BigInt(allowance));
    const settled = settlement.batches.map((batch) => {
      const value = left[batch.pot] ?? 0n;
      left[batch.pot] = value - batch.sum;
      const payments = Array.from({ length: batch.to - batch.from }, (_, index) => batch.from + index);
      return {
        pot: batch.pot,
        value: `${value}`,
        from: batch.from,
        to: batch.to,
        without: payments.filter((payment) => BigInt(payment) % 7n === refusing),
        signature: batch.signature,
        slot: `${batch.slot}`,
        left: `${value - batch.sum}`,
        fee: '5000',
      };
    });

    const events: readonly (LevyEvent | undefined)[] = [
      RunOpened({
        ...runOpened.data,
        ...identity,
        number,
        mint,
        dueAt: at(0),
        asset,
        settings: {
          ...runOpened.data.settings,
          rewardToken: asset === 'sol' ? 'SOL' : 'SELF',
          developerWallet,
        },
        tax: { older: RATE, newer: RATE },
        owners: { excludedOwners: [], allowedOwners: [] },
        carried: before,
      }),
      HoldersScanned({
        ...holdersScanned.data,
        ...identity,
        slots: ['100', '104'],
        accounts: owners,
        owners,
        withheld: `${collected}`,
        sums: header.scan,
      }),
      TaxCollected({
        ...taxCollected.data,
        ...identity,
        collected: `${collected}`,
        balance: `${collected}`,
        slot: '105',
        harvested: owners,
        withdraw: [signatureOf(`${runId} withdraw`)],
        at: at(2),
      }),
      landed('split', 1),
      TaxSplit({
        ...taxSplit.data,
        ...identity,
        burned: `${burned}`,
        sold: inDigits(sold),
        kept: carried.kept,
        fees: `${costs}`,
        proceeds: `${proceeds}`,
        costs: `${costs}`,
        developer: `${developer}`,
        holders: `${holders}`,
      }),
      RunAllotted({
        ...identity,
        mint,
        asset,
        slots: ['100', '104'],
        ledger: allotment.sha256,
        root: allotment.root,
        records: header.records,
        divided: `${holders}`,
        sumOfWeights: `${weights}`,
        shares: `${shares}`,
        dust: `${holders - shares}`,
        payments: header.payments,
        rentFloor: '890880',
        pots,
        payAfter: at(5),
      }),
      landed('open', 2),
      settled.length === 0 ? undefined : BatchesSettled({ ...identity, batches: settled }),
      landed('close', 3),
      RunClosed({
        ...identity,
        number,
        asset,
        amounts,
        paidDebts: `${paidNow[other]}`,
        walletsPaid: wallets.size,
        paidTo: {
          costs: `${paidTo.costs}`,
          developer: `${paidTo.developer}`,
          holders: `${paidTo.holder}`,
          holdersPaid,
        },
        fees: '25000',
        closedAt: at(9),
        carried,
      }),
    ];
    return {
      runId,
      asset,
      allotment,
      settlement,
      events: events.flatMap((event, minutes) => (event ? [{ event, occurredAt: at(minutes) }] : [])),
    };

    function landed(purpose: 'split' | 'open' | 'close', link: number) {
      return LinksLanded({
        ...identity,
        purpose,
        links: [
          {
            number: 3 * number + link,
            previous: ownerOf(3_000_000 + 3 * number + link - 1),
            actions: [],
            till: ownerOf(3_000_000 + 3 * number + link),
            signature: signatureOf(`${runId} ${purpose}`),
            fee: '5000',
          },
        ],
        slot: '110',
        lamports: '0',
        tokens: '0',
      });
    }
  });
}

const RATE = { epoch: '700', basisPoints: 300, maximumFee: '18446744073709551615' };

function createAccounts() {
  const amounts = new Map<string, bigint>();
  const keyOf = (asset: RewardAsset, kind: Kind, owner: string) => `${asset}/${kind}/${owner}`;
  const of = (asset: RewardAsset, kind: Kind, owner: string) => amounts.get(keyOf(asset, kind, owner)) ?? 0n;
  return {
    of,
    set: (asset: RewardAsset, kind: Kind, owner: string, amount: bigint) =>
      void amounts.set(keyOf(asset, kind, owner), amount),
    together: (asset: RewardAsset, owner: string) =>
      KINDS.reduce((sum, kind) => sum + of(asset, kind, owner), 0n),
    clear(asset: RewardAsset, owner: string) {
      for (const kind of KINDS) amounts.delete(keyOf(asset, kind, owner));
    },
    total: (asset: RewardAsset) =>
      [...amounts].reduce((sum, [key, amount]) => (key.startsWith(`${asset}/`) ? sum + amount : sum), 0n),
  };
}

/** Numbers from 0 up to a bound, the same for the same seed. */
function randomOf(seed: number): (bound: bigint) => bigint {
  let count = 0;
  return (bound) => {
    count += 1;
    const hash = createHash('sha256').update(`${seed} ${count}`).digest();
    return hash.readBigUInt64LE() % bound;
  };
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function signatureOf(text: string): string {
  return base58(createHash('sha512').update(text).digest());
}

export function walletOf(text: string): string {
  return addressOf(createHash('sha256').update(text).digest());
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
