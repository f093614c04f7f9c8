/** Views of runs of a token's distribution. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { RewardAsset, Sha256 } from '../streams/distribution.ts';
import { potsOf, type ScannedHolders, type WitnessState } from '../streams/distribution-run.ts';
import { PublicSettings } from '../streams/distribution-settings.ts';
import { announced, RUN_STEPS, type RunStep, type StepSince } from '../streams/distribution-step.ts';
import { WAITS, type WaitCode } from '../streams/distribution-wait.ts';
import { Parts, type RunAmounts } from '../streams/run-amounts.ts';
import { SaleBasis } from '../streams/sale-basis.ts';
import { unsoldSentence } from '../streams/unsold-reasons.ts';
import { Address, Amount, described, enumOf, orNull, Signature, Timestamp } from '../streams/value-types.ts';
import { card, paidFromPots, runCard } from './run-card.ts';

const known = (description: string) => orNull(described(Amount, description));
const parts = (description: string) => described(Parts, description);
const knownParts = (description: string) => orNull(parts(description));

const Amounts = Type.Object(
  {
    kept: parts('Retained by earlier runs, in base units.'),
    collected: known('Collected tax, in base units.'),
    burned: known('Burned base units.'),
    soldParts: knownParts('Base units sold, for the developer and for holders.'),
    keptAfter: knownParts('Base units retained for later runs.'),
    ownTax: Type.Optional(
      Type.Object(
        {
          before: parts('Withheld from earlier sales and not collected yet.'),
          returned: parts('Part of `collected` that returns to the retained parts, and is not burned again.'),
          after: parts("Includes the tax withheld from the run's own sale."),
        },
        {
          description:
            "Base units that the chain has withheld from the service's own sales. Absent until the tax is split.",
        },
      ),
    ),
    proceeds: known('Proceeds of sales, in lamports.'),
    costs: known('Repaid to the distributor for its fees.'),
    developer: known("The developer's part."),
    holders: known("The holders' part."),
    dust: described(Amount, 'Remainders of earlier runs.'),
    dustAfter: known('Remainder of this run.'),
    allotted: known("Sum of the holders' shares of this run."),
    owed: described(Amount, 'Owed to all wallets before this run.'),
    owedAfter: known('Owed to all wallets after this run.'),
    planned: known('Sum that this run is to pay.'),
    paid: known('Paid in final transactions.'),
  },
  {
    title: 'DistributionRunAmounts',
    description:
      'Base units of the token up to `keptAfter`, then units of the paid asset. Null until decided.\n\n`kept + ' +
      'collected = burned + sold + keptAfter`, `proceeds = costs + developer + holders`, `holders + dust = ' +
      'allotted + dustAfter`, `owed + costs + developer + allotted = paid + owedAfter`; `sold` is the sum of ' +
      '`soldParts`. If holders are paid in the token itself, the part to sell is paid instead: `sold = ' +
      'developer + holders`.',
  },
);

const RunWaitingFor = Type.Object(
  {
    code: Type.String({
      description:
        '`no-market`: the price of the pool is unknown, or much lower than in the last half hour. ' +
        "`unconfirmed`: the chain node's figures do not add up, or the second node, which must confirm the " +
        'run, does not respond or disagrees. The reference of steps and waits lists all codes. More codes may ' +
        'be added.',
      examples: ['unconfirmed'],
    }),
    detail: Type.String({ description: 'Explanation for users.', examples: ['The second node is silent.'] }),
    since: Timestamp,
  },
  { title: 'DistributionRunWaitingFor' },
);

const Offer = Type.Object(
  {
    at: described(Timestamp, 'Time at which the sale was recorded.'),
    amount: described(Amount, 'Base units for sale.'),
    minimum: described(Amount, 'Minimum proceeds in lamports; the chain rejects the sale below them.'),
    landed: Type.Boolean({ description: 'True if this sale has landed.' }),
    wanted: described(
      Amount,
      'Base units due for sale. The part beyond the budget is retained for a later run.',
    ),
    expected: described(Amount, 'Expected proceeds in lamports, at the price when the sale was decided.'),
    received: SaleBasis.properties.received,
    pool: described(
      SaleBasis.properties.pool,
      'State of the pool when the sale was decided. Prices are square roots of lamports per base unit, in Q64.64; ' +
        'the fee is in billionths.',
    ),
    reference: described(
      SaleBasis.properties.reference,
      "Median of the pool's finalized prices over 33 minutes.",
    ),
    maxDiscountPercent: Type.Number({
      description: 'Maximum discount to the reference, in percent.',
      examples: [5],
    }),
    floor: described(Amount, 'Minimum proceeds in lamports: the reference price less the discount.'),
    impact: Type.Integer({
      description: 'Maximum price impact of the sale, in millionths.',
      examples: [4_000],
    }),
    moved: Type.Integer({
      description: 'Price impact of the other sales of the half hour, in millionths.',
      examples: [0],
    }),
    budget: Type.Integer({
      description:
        "Maximum price impact of all sales of the half hour, in millionths: the pool's fee plus the token's tax, capped.",
      examples: [10_000],
    }),
  },
  { title: 'DistributionSaleOffer' },
);

const RunSale = Type.Object(
  {
    unsold: orNull(
      Type.Object({
        code: Type.String({ examples: ['price-below-reference'] }),
        detail: orNull(
          Type.String({ examples: ['The price of the pool is far below its price of the last half hour.'] }),
        ),
      }),
      {
        description:
          'Reason why no sale landed; the tokens are retained for a later run. Null if a sale landed.',
      },
    ),
    tries: Type.Integer({ minimum: 0, description: 'Number of recorded sales.', examples: [1] }),
    offers: Type.Array(Offer, { description: "Sales at a pool's price, in order; at most one lands." }),
  },
  { title: 'DistributionSale' },
);

const StepName = enumOf('DistributionRunStep', Object.keys(RUN_STEPS) as readonly RunStep[], {
  description: `Current activity of the run: ${Object.entries(RUN_STEPS)
    .map(([step, meaning]) => `\`${step}\`: ${meaning}`)
    .join(' ')}`,
  examples: ['pay'],
});

const Until = (description: string) => orNull(Timestamp, { description });

const RunStepView = Type.Object(
  {
    step: StepName,
    begunAt: Timestamp,
    endedAt: Until('Null in the current step.'),
    waits: Type.Array(
      Type.Object({
        code: Type.String({
          description: 'Code of `waitingFor`, or reason of `unsold`.',
          examples: ['price-unknown'],
        }),
        detail: orNull(Type.String(), {
          description: 'Explanation for users; null for a code that this release does not define.',
          examples: ['The price of the pool has not been sampled for long enough.'],
        }),
        since: Timestamp,
        until: Until('Time of the next recorded event of the run.'),
      }),
      {
        description:
          'Recorded waits: for a sale, for the second node, for consistent accounts, or during a halt. Each reason is ' +
          'recorded once in a run, except halts. The current wait is `waitingFor` of the run.',
      },
    ),
    transactions: Type.Array(Type.Object({ signature: Signature, at: Timestamp }), {
      description:
        "Transactions of the run except payments, which `GET …/batches` lists. Only the token's first run has `begin`.",
    }),
    batchCount: Type.Integer({
      minimum: 0,
      description: 'Number of landed payment transactions. `GET …/batches` lists them.',
      examples: [12],
    }),
  },
  { title: 'DistributionRunStepTaken' },
);

const RunSteps = Type.Array(RunStepView, {
  description: 'Steps of the run so far, in order.',
});

/** Step of each purpose of transactions. */
const STEP_OF = {
  begin: 'begin',
  withdraw: 'collect',
  split: 'split',
  open: 'open',
  close: 'close',
} as const;

/** Builds an object with a member per purpose of transactions. */
function byPurpose<Value>(memberOf: (purpose: keyof typeof STEP_OF) => Value) {
  const entries = (Object.keys(STEP_OF) as (keyof typeof STEP_OF)[]).map((each) => [each, memberOf(each)]);
  return Object.fromEntries(entries) as { [Purpose in keyof typeof STEP_OF]: Value };
}

const RunTransactions = Type.Object(
  byPurpose(() => Type.Array(Signature)),
  {
    title: 'DistributionRunTransactions',
    description: '`GET …/batches` lists the payment transactions. `begin` is used in the first run only.',
  },
);

const RunScan = orNull(
  Type.Object(
    {
      accounts: Type.Integer({ minimum: 0, description: 'Number of token accounts.', examples: [1_300] }),
      ownerCount: Type.Integer({
        minimum: 0,
        description: "Owners with a balance, without the service's own accounts, pools and the incinerator.",
        examples: [1_200],
      }),
      withheld: described(Amount, 'Withheld tax in the accounts and in the mint, in base units.'),
      supply: described(Amount, 'Supply in base units.'),
    },
    { title: 'DistributionRunScan' },
  ),
  { description: 'Results of the scan of the holders; null before the scan.' },
);

export const RunPage = Type.Object(
  {
    ...card,
    step: orNull(StepName, { description: 'Null after the run is closed.' }),
    since: orNull(Timestamp, {
      description: 'Recorded start of the step. Null after the run is closed.',
    }),
    waitingFor: orNull(RunWaitingFor, {
      description:
        'Current wait of the run. A process that does not distribute returns only the last recorded waits ' +
        'for the sale and the second node; each reason is recorded once per run. Null while the run advances, ' +
        'is closed or halted.',
    }),
    requested: Type.Boolean({ description: 'True if an operator requested the run before it was due.' }),
    paidDebts: described(Amount, 'Paid in the former reward asset.'),
    settings: {
      ...described(PublicSettings, 'Settings at the opening of the run.'),
      title: 'DistributionRunSettings',
    },
    scanned: RunScan,
    steps: RunSteps,
    amounts: Amounts,
    sale: orNull(RunSale, {
      description: 'Null until the collected tax is split, and if the token itself is paid.',
    }),
    transactions: RunTransactions,
    pots: Type.Array(
      Type.Object(
        { asset: RewardAsset, address: Address, allowance: Amount, left: Amount },
        {
          title: 'DistributionPot',
          description: 'Account of payments, which has paid `allowance - left`.',
        },
      ),
    ),
    /** Null before the allotment. */
    ledger: orNull(
      Type.Object(
        {
          sha256: described(Sha256, 'SHA-256 of the allotment, which has the amount of each wallet.'),
          settlementSha256: orNull(
            described(
              Sha256,
              'SHA-256 of the settlement, which has the results of the payments; null until the run is closed.',
            ),
          ),
          url: Type.String({
            description: 'URL of the allotment. The settlement has the same URL with its own SHA-256.',
            examples: [
              'https://levy.example/files/b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
            ],
          }),
          root: described(Sha256, 'Root of the Merkle tree over the records.'),
          records: Type.Integer({ minimum: 0, examples: [1_200] }),
        },
        { title: 'DistributionLedger' },
      ),
    ),
  },
  { title: 'DistributionRunDetail' },
);

export function runPage(
  run: DistributionRunDocument,
  {
    isHalted,
    waitingFor,
    now,
    urlOf,
  }: {
    readonly isHalted: boolean;
    /** Current wait, as reported by the distributing process. */
    readonly waitingFor: ObservedWait | undefined;
    readonly now: Date;
    readonly urlOf: (sha256: string) => string;
  },
): Static<typeof RunPage> {
  const { closed } = run;
  const { scanned, allotted } = run.records;
  const shown = stepView(run, now);
  return {
    ...runCard(run, isHalted),
    step: shown?.step ?? null,
    since: shown?.since ?? null,
    waitingFor: closed === null && !isHalted ? runWaitingFor(run, waitingFor) : null,
    requested: run.requested,
    paidDebts: closed?.paidDebts ?? paidFromPots(run, run.asset === 'sol' ? 'token' : 'sol'),
    settings: run.settings,
    scanned: scanned === undefined ? null : scanView(scanned),
    steps: runSteps(run, now),
    amounts: closed === null ? amountsSoFar(run) : amountsView(closed.amounts),
    sale: runSale(run),
    transactions: runTransactions(run),
    pots: potsOf(run.records),
    ledger:
      allotted === undefined
        ? null
        : {
            sha256: allotted.ledger,
            settlementSha256: closed?.settlementSha256 ?? null,
            url: urlOf(allotted.ledger),
            root: allotted.root,
            records: allotted.records,
          },
  };
}

function scanView({ accounts, owners, withheld, supply }: ScannedHolders) {
  return { accounts, ownerCount: owners, withheld, supply };
}

function runSale({ asset, records: { split } }: DistributionRunDocument): Static<typeof RunSale> | null {
  if (asset !== 'sol' || split === undefined) return null;
  const { unsold, tries, offers } = split;
  return {
    unsold: unsold === null ? null : { code: unsold, detail: unsoldSentence(unsold) ?? null },
    tries,
    offers: offers.map(({ amount, minimum, landed, basis }) => {
      const { at, maxDiscountBasisPoints, ...judged } = basis;
      return { at, amount, minimum, landed, ...judged, maxDiscountPercent: maxDiscountBasisPoints / 100 };
    }),
  };
}

interface ObservedWait {
  readonly code: WaitCode;
  readonly since: string;
}

/** Undefined after the run is closed. */
export function stepView(
  { progress, steps, records }: Pick<DistributionRunDocument, 'progress' | 'steps' | 'records'>,
  now: Date,
): StepSince | undefined {
  const last = steps.at(-1);
  if (progress === null || last === undefined) return undefined;
  const { step, begunAt: since } = last;
  return announced({ step, since }, records.allotted?.payAfter, progress.pending !== null, now);
}

const AWAITED_WITNESS: { readonly [Word in WitnessState]: string } = {
  silent:
    'All payments are made. The run is closed once the second node confirms them; it does not respond currently.',
  disagrees:
    'All payments are made. The run is closed once the second node confirms them; it disagrees currently.',
};

/** Omits details, which are for operators only. */
function runWaitingFor(
  { records: { witnessed, saleAwaited, split }, waits }: DistributionRunDocument,
  seen: ObservedWait | undefined,
): Static<typeof RunWaitingFor> | null {
  if (seen !== undefined) return { code: seen.code, detail: WAITS[seen.code].sentence, since: seen.since };
  const sinceOf = (code: string) => waits.findLast((wait) => wait.code === code)?.since ?? '';
  const witness = witnessed.at(-1);
  if (witness !== undefined)
    return { code: 'unconfirmed', detail: AWAITED_WITNESS[witness], since: sinceOf('unconfirmed') };
  const reason = split === undefined ? saleAwaited.at(-1) : undefined;
  const detail = reason && unsoldSentence(reason);
  return reason && detail ? { code: 'no-market', detail, since: sinceOf(reason) } : null;
}

function amountsView({ sold, shares, ...others }: RunAmounts): Static<typeof Amounts> {
  return { ...others, soldParts: sold, allotted: shares };
}

function amountsSoFar(run: DistributionRunDocument): Static<typeof Amounts> {
  const { asset, carried } = run;
  const { collected, split, allotted } = run.records;
  return {
    kept: carried.kept,
    collected: collected?.collected ?? null,
    burned: split?.burned ?? null,
    soldParts: split?.sold ?? null,
    keptAfter: split?.kept ?? null,
    ...(split && { ownTax: split.ownTax }),
    proceeds: split?.proceeds ?? null,
    costs: split?.costs ?? null,
    developer: split?.developer ?? null,
    holders: split?.holders ?? null,
    dust: carried.dust[asset],
    dustAfter: allotted?.dust ?? null,
    allotted: allotted?.shares ?? null,
    owed: carried.owed[asset],
    owedAfter: null,
    planned: allotted?.payments[asset].sum ?? null,
    paid: allotted === undefined ? null : paidFromPots(run, asset),
  };
}

function runTransactions({ transactions }: DistributionRunDocument): Static<typeof RunTransactions> {
  return byPurpose((part) =>
    transactions.filter(({ purpose }) => purpose === part).map(({ signature }) => signature),
  );
}

export function runSteps(run: DistributionRunDocument, now: Date): Static<typeof RunSteps> {
  const steps = announcedSteps(run, now);
  return steps.map(({ batches, ...step }, index) => {
    const { begunAt } = step;
    const next = steps[index + 1]?.begunAt;
    const endedAt = next ?? run.closedAt;
    return {
      ...step,
      batchCount: batches,
      endedAt,
      waits: run.waits
        .filter(({ since }) => since >= begunAt && (next === undefined || since < next))
        .map((wait) => ({ ...wait, detail: sentenceOf(wait.code) })),
      transactions: run.transactions
        .filter(({ purpose, at }) => STEP_OF[purpose] === step.step && at >= begunAt && at <= (endedAt ?? at))
        .map(({ signature, at }) => ({ signature, at })),
    };
  });
}

type Begun = Omit<DistributionRunDocument['steps'][number], 'step'> & Pick<StepSince, 'step'>;

/** Inserts the step `announce` between `allot` and `open`, since no event is recorded at the announced time. */
function announcedSteps({ steps, records }: DistributionRunDocument, now: Date): readonly Begun[] {
  const payAfter = records.allotted?.payAfter ?? '';
  return steps.flatMap((each, index): readonly Begun[] => {
    const isEarlier = (steps[index + 1]?.begunAt ?? payAfter) < payAfter;
    if (each.step !== 'open' || payAfter <= each.begunAt || isEarlier) return [each];
    const announce = { ...each, step: 'announce' as const };
    return now.toISOString() < payAfter ? [announce] : [announce, { ...each, begunAt: payAfter }];
  });
}

function sentenceOf(code: string): string | null {
  return code in WAITS ? WAITS[code as keyof typeof WAITS].sentence : (unsoldSentence(code) ?? null);
}
