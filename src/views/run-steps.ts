/** The forms in which the steps of a run are shown: their times, waits and transactions, and what the scan found. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { RUN_STEPS, type RunStep } from '../streams/distribution-step.ts';
import { WAITS } from '../streams/distribution-wait.ts';
import { unsoldSentence } from '../streams/unsold-reasons.ts';
import { Amount, described, orNull, Signature, Timestamp } from '../streams/values.ts';

export const StepName = Type.Union(
  (Object.keys(RUN_STEPS) as readonly RunStep[]).map((step) => Type.Literal(step)),
  {
    title: 'DistributionRunStep',
    description: `What the run does: ${Object.entries(RUN_STEPS)
      .map(([step, meaning]) => `\`${step}\`: ${meaning}`)
      .join(' ')}`,
    examples: ['pay' as const],
  },
);

const Until = (description: string) => orNull(Timestamp, { description });

const RunStepView = Type.Object(
  {
    step: StepName,
    begunAt: Timestamp,
    endedAt: Until('Null in the step that the run is in.'),
    waits: Type.Array(
      Type.Object({
        code: Type.String({
          description: 'As in `waitingFor`, or why nothing was sold for now, as in `unsold`.',
          examples: ['price-unknown'],
        }),
        detail: orNull(Type.String(), {
          description: 'A sentence for people; null for a reason that this version does not know.',
          examples: ['The price of the pool has not been watched for long enough.'],
        }),
        since: Timestamp,
        until: Until('When something was recorded of the run again.'),
      }),
      {
        description:
          'What it waited for, as far as it was recorded: a sale, the second node, accounts that do not add up, a halt. Each reason is ' +
          'recorded once in a run, but for halts. What it waits for now is in `waitingFor` of the run.',
      },
    ),
    transactions: Type.Array(Type.Object({ signature: Signature, at: Timestamp }), {
      description: 'That landed, but for those of payments; `at` is when the service recorded it.',
    }),
    batches: Type.Integer({
      minimum: 0,
      description: 'Transactions of payments that landed. `GET …/batches` lists them.',
      examples: [12],
    }),
  },
  { title: 'DistributionRunStepTaken' },
);

export const RunSteps = Type.Array(RunStepView, {
  description: 'Those that it has taken, in their order.',
});

const Signatures = Type.Array(Signature);

export const RunTransactions = Type.Object(
  {
    begin: Signatures,
    withdraw: Signatures,
    split: Signatures,
    open: Signatures,
    close: Signatures,
  },
  {
    title: 'DistributionRunTransactions',
    description: 'Those of payments are in `GET …/batches`. `begin` is in the first run only.',
  },
);

export const RunScan = Type.Union(
  [
    Type.Object(
      {
        accounts: Type.Integer({ minimum: 0, description: 'Of the token.', examples: [1_300] }),
        owners: Type.Integer({ minimum: 0, description: 'That hold some of it.', examples: [1_200] }),
        withheld: described(Amount, 'Base units of tax in the accounts and in the mint.'),
        supply: described(Amount, 'Base units.'),
      },
      { title: 'DistributionRunScan' },
    ),
    Type.Null(),
  ],
  { description: 'What the scan of the holders found; null before it.' },
);

export function runTransactions({ transactions }: DistributionRunDocument): Static<typeof RunTransactions> {
  const signaturesFor = (part: keyof typeof STEP_OF) =>
    transactions.filter(({ purpose }) => purpose === part).map(({ signature }) => signature);
  return {
    begin: signaturesFor('begin'),
    withdraw: signaturesFor('withdraw'),
    split: signaturesFor('split'),
    open: signaturesFor('open'),
    close: signaturesFor('close'),
  };
}

/** The step that each transaction belongs to. */
const STEP_OF = {
  begin: 'begin',
  withdraw: 'collect',
  split: 'split',
  open: 'open',
  close: 'close',
} as const;

export function runSteps(run: DistributionRunDocument, now: Date): Static<typeof RunSteps> {
  const steps = announcedSteps(run, now);
  return steps.map((step, index) => {
    const { begunAt } = step;
    const next = steps[index + 1]?.begunAt;
    const endedAt = next ?? run.closedAt;
    return {
      ...step,
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

type Begun = Pick<Static<typeof RunStepView>, 'step' | 'begunAt' | 'batches'>;

/** Between `allot` and `open` stands `announce`: nothing is recorded at the announced moment. */
function announcedSteps({ steps, allotted }: DistributionRunDocument, now: Date): readonly Begun[] {
  const payAfter = allotted?.payAfter ?? '';
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
