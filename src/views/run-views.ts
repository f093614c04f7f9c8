/** The forms in which runs of a token's distribution are shown. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { RewardAsset, Sha256 } from '../streams/distribution.ts';
import type { WitnessWord } from '../streams/distribution-run.ts';
import { SettingsView } from '../streams/distribution-settings.ts';
import { announced, type StepSince } from '../streams/distribution-step.ts';
import { WAITS, type WaitCode } from '../streams/distribution-wait.ts';
import { Parts, type RunAmounts } from '../streams/run-amounts.ts';
import { SaleBasis } from '../streams/sale-basis.ts';
import { unsoldSentence } from '../streams/unsold-reasons.ts';
import { Address, Amount, described, orNull, Timestamp } from '../streams/values.ts';
import { card, paidFromPots, runCard } from './run-card.ts';
import { RunScan, RunSteps, RunTransactions, runSteps, runTransactions, StepName } from './run-steps.ts';

const known = (description: string) => orNull(described(Amount, description));
const parts = (description: string) => Type.Object(Parts.properties, { description });
const knownParts = (description: string) => orNull(parts(description));

const Amounts = Type.Object(
  {
    kept: parts('Base units that earlier runs kept.'),
    collected: known('Base units of tax.'),
    burned: known('Base units.'),
    sold: knownParts('Base units.'),
    keptAfter: knownParts('Base units.'),
    ownTax: Type.Optional(
      Type.Object(
        {
          before: parts('Withheld of earlier sales, and not collected yet.'),
          returned: parts('Of `collected`: it goes back to its buckets, and is not burned again.'),
          after: parts("With what was withheld of the run's own sale."),
        },
        {
          description:
            "Base units that the chain has withheld of the engine's own sales. Absent until the tax is split.",
        },
      ),
    ),
    proceeds: known('Lamports.'),
    costs: known('Repaid to the distributor.'),
    developer: known("The developer's part."),
    holders: known("The holders' part."),
    dust: described(Amount, 'What earlier runs could not divide.'),
    dustAfter: known('What this run could not divide.'),
    shares: known('Of the holders, together.'),
    owed: described(Amount, 'By earlier runs, to all wallets.'),
    owedAfter: known('To all wallets.'),
    planned: known('To be paid.'),
    paid: known('What the chain has taken.'),
  },
  {
    title: 'DistributionRunAmounts',
    description:
      'Base units of the token down to `keptAfter`, then the asset that is paid. Null until it is known.\n\n' +
      '`kept + collected = burned + sold + keptAfter`, `proceeds = costs + developer + holders`, ' +
      '`holders + dust = shares + dustAfter`, `owed + costs + developer + shares = paid + owedAfter`. ' +
      'Where the token itself is paid, what would be sold is paid as it is: `sold = developer + holders`.',
  },
);

const RunWaitingFor = Type.Object(
  {
    code: Type.String({
      description:
        '`no-market`: the price of the pool is not known, or much lower than in the last half hour. `unconfirmed`: the chain node does ' +
        'not show what adds up, or a second node, whose word is needed to close the books, does not answer or shows something else. ' +
        'The reference of steps and waits has all of them. Others may be added.',
      examples: ['unconfirmed'],
    }),
    detail: Type.String({ description: 'A sentence for people.', examples: ['The second node is silent.'] }),
    since: Timestamp,
  },
  { title: 'DistributionRunWaitingFor' },
);

const Offer = Type.Object(
  {
    at: described(Timestamp, 'When it was recorded.'),
    amount: described(Amount, 'Base units to be sold.'),
    minimum: described(Amount, 'Lamports: the chain refuses the sale if it brings less.'),
    landed: Type.Boolean({ description: 'Whether this sale was made.' }),
    wanted: described(
      Amount,
      'Base units that were to be sold. What the budget leaves out is kept for a later run.',
    ),
    expected: described(Amount, 'Lamports at the price of that moment.'),
    received: SaleBasis.properties.received,
    pool: Type.Object(SaleBasis.properties.pool.properties, {
      description:
        'The pool at that moment. Prices are square roots of lamports per base unit, in Q64.64; the fee is in billionths.',
    }),
    reference: Type.Union(SaleBasis.properties.reference.anyOf, {
      description: "The median of the pool's final prices over 33 minutes.",
    }),
    maxDiscountPercent: Type.Number({ description: 'How far under the reference it may be.', examples: [5] }),
    floor: described(Amount, 'Lamports at the reference price, less the discount: no sale for less.'),
    impact: Type.Integer({
      description: 'Millionths by which it moves the price, at most.',
      examples: [4_000],
    }),
    moved: Type.Integer({
      description: 'Millionths by which others of the half hour had moved it.',
      examples: [0],
    }),
    budget: Type.Integer({
      description: "Millionths by which all of them may move it: the pool's fee and the token's tax, capped.",
      examples: [10_000],
    }),
  },
  { title: 'DistributionSaleOffer' },
);

const RunSale = Type.Object(
  {
    unsold: Type.Union(
      [
        Type.Object({
          code: Type.String({ examples: ['price-below-reference'] }),
          detail: orNull(
            Type.String({ examples: ['The pool pays much less than its price of the last half hour.'] }),
          ),
        }),
        Type.Null(),
      ],
      { description: 'Why nothing was sold; the tokens are kept for a later run. Null if something was.' },
    ),
    tries: Type.Integer({ minimum: 0, description: 'Sales that were recorded.', examples: [1] }),
    offers: Type.Array(Offer, { description: "Those at a pool's price, in their order: at most one lands." }),
  },
  { title: 'DistributionSale' },
);

export const RunPage = Type.Object(
  {
    ...card,
    step: orNull(StepName, { description: 'Null when it is closed.' }),
    since: orNull(Timestamp, {
      description: 'When it began the step, as it was recorded. Null when it is closed.',
    }),
    waitingFor: orNull(RunWaitingFor, {
      description:
        'What the run waits for. A process that does not distribute knows only of its sale and of the second node, as they were ' +
        'recorded last: each reason is recorded once in a run. Null while the run goes on, is closed or halted.',
    }),
    requested: Type.Boolean({ description: 'An operator asked for it before it was due.' }),
    paidDebts: described(Amount, 'Paid in the other asset: owed since before the reward token changed.'),
    settings: Type.Omit(SettingsView, ['telegramGroupId'], {
      title: 'DistributionRunSettings',
      description: 'As they were when the run was opened.',
      examples: (SettingsView.examples ?? []).map(
        ({ telegramGroupId: _private, ...pinned }: { readonly [name: string]: unknown }) => pinned,
      ),
    }),
    scanned: RunScan,
    steps: RunSteps,
    amounts: Amounts,
    sale: orNull(RunSale, {
      description: 'Null until the collected tax is split, and where the token itself is paid.',
    }),
    transactions: RunTransactions,
    pots: Type.Array(
      Type.Object(
        { asset: RewardAsset, address: Address, allowance: Amount, left: Amount },
        {
          title: 'DistributionPot',
          description: 'An account that payments came from: it paid `allowance - left`.',
        },
      ),
    ),
    /** Null until the run has decided who gets how much. */
    ledger: orNull(
      Type.Object(
        {
          sha256: described(Sha256, 'The allotment: who is to get how much.'),
          settlementSha256: orNull(
            described(Sha256, 'What became of each payment; null until the run is closed.'),
          ),
          url: Type.String({
            description: 'Where the allotment is; the settlement is beside it, under its own SHA-256.',
            examples: [
              'https://levy.example/files/b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
            ],
          }),
          root: described(Sha256, 'The root of the Merkle tree over the records.'),
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
    /** What the process that distributes knows of it. */
    readonly waitingFor: WaitSeen | undefined;
    readonly now: Date;
    readonly urlOf: (sha256: string) => string;
  },
): Static<typeof RunPage> {
  const { allotted, closed } = run;
  const shown = stepShown(run, now);
  return {
    ...runCard(run, isHalted),
    step: shown?.step ?? null,
    since: shown?.since ?? null,
    waitingFor: closed === null && !isHalted ? runWaitingFor(run, waitingFor) : null,
    requested: run.requested,
    paidDebts: closed?.paidDebts ?? paidFromPots(run, run.asset === 'sol' ? 'token' : 'sol'),
    settings: run.settings,
    scanned: run.scanned,
    steps: runSteps(run, now),
    amounts: closed?.amounts ?? amountsSoFar(run),
    sale: runSale(run),
    transactions: runTransactions(run),
    pots: [...run.pots],
    ledger: allotted && {
      sha256: allotted.sha256,
      settlementSha256: closed?.settlementSha256 ?? null,
      url: urlOf(allotted.sha256),
      root: allotted.root,
      records: allotted.records,
    },
  };
}

function runSale({ asset, split }: DistributionRunDocument): Static<typeof RunSale> | null {
  if (asset !== 'sol' || split === null) return null;
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

interface WaitSeen {
  readonly code: WaitCode;
  readonly since: string;
}

/** Undefined when it is closed. */
export function stepShown(
  { progress, steps, allotted }: Pick<DistributionRunDocument, 'progress' | 'steps' | 'allotted'>,
  now: Date,
): StepSince | undefined {
  const last = steps.at(-1);
  if (progress === null || last === undefined) return undefined;
  const { step, begunAt: since } = last;
  return announced({ step, since }, allotted?.payAfter, progress.pending !== null, now);
}

const AWAITED_WITNESS: { readonly [Word in WitnessWord]: string } = {
  silent: 'Payments are done. The run is closed when a second node, which does not answer, shows them too.',
  disagrees: 'Payments are done. The run is closed when a second node, which disagrees, shows them too.',
};

/** Without particulars: they are for operators. */
function runWaitingFor(
  { witness, saleAwaited, split }: DistributionRunDocument,
  seen: WaitSeen | undefined,
): Static<typeof RunWaitingFor> | null {
  if (seen !== undefined) return { code: seen.code, detail: WAITS[seen.code].sentence, since: seen.since };
  if (witness !== null)
    return { code: 'unconfirmed', detail: AWAITED_WITNESS[witness.word], since: witness.since };
  const detail = split === null && saleAwaited !== null ? unsoldSentence(saleAwaited.reason) : undefined;
  return detail === undefined || saleAwaited === null
    ? null
    : { code: 'no-market', detail, since: saleAwaited.since };
}

type AmountsSoFar = {
  readonly [Name in Exclude<keyof RunAmounts, 'ownTax'>]: RunAmounts[Name] | null;
} & Partial<Pick<RunAmounts, 'ownTax'>>;

function amountsSoFar(run: DistributionRunDocument): Static<typeof Amounts> {
  const { asset, carried, collected, split, allotted } = run;
  const soFar: AmountsSoFar = {
    kept: carried.kept,
    collected,
    burned: split?.burned ?? null,
    sold: split?.sold ?? null,
    keptAfter: split?.kept ?? null,
    ...(split && { ownTax: split.ownTax }),
    proceeds: split?.proceeds ?? null,
    costs: split?.costs ?? null,
    developer: split?.developer ?? null,
    holders: split?.holders ?? null,
    dust: carried.dust[asset],
    dustAfter: allotted?.dust ?? null,
    shares: allotted?.shares ?? null,
    owed: carried.owed[asset],
    owedAfter: null,
    planned: allotted?.planned ?? null,
    paid: allotted === null ? null : paidFromPots(run, asset),
  };
  return soFar as Static<typeof Amounts>;
}
