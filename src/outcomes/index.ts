/** The outcomes sent to subscribers, one line each. */
import { type ObjectOptions, type TObject, Type } from '@sinclair/typebox';
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { streams } from '../streams/index.ts';
import { Address } from '../streams/values.ts';
import { distributionsAllotted } from './distributions-allotted.ts';
import { distributionsCompleted } from './distributions-completed.ts';
import { distributionsConfigured } from './distributions-configured.ts';
import { distributionsHalted, distributionsResumed } from './distributions-halted-and-resumed.ts';
import { distributionsSkipped } from './distributions-skipped.ts';
import { distributionsStarted } from './distributions-started.ts';
import { launchesCompleted } from './launches-completed.ts';
import { launchesStarted } from './launches-started.ts';
import { promotionsEnded } from './promotions-ended.ts';
import { promotionsStarted } from './promotions-started.ts';
import {
  submissionsAccepted,
  submissionsConfirmed,
  submissionsDropped,
  submissionsFailed,
  submissionsFinalized,
  submissionsLapsed,
  submissionsOverdue,
} from './submissions.ts';
import { tokensCreated } from './tokens-created.ts';
import { tokensHidden, tokensShown } from './tokens-hidden-and-shown.ts';
import { tokensReverted } from './tokens-reverted.ts';
import { tokensTransferFeeChanged } from './tokens-transfer-fee-changed.ts';

const all: readonly AnyOutcome[] = [
  distributionsAllotted,
  distributionsCompleted,
  distributionsConfigured,
  distributionsHalted,
  distributionsResumed,
  distributionsSkipped,
  distributionsStarted,
  launchesCompleted,
  launchesStarted,
  promotionsEnded,
  promotionsStarted,
  submissionsAccepted,
  submissionsConfirmed,
  submissionsDropped,
  submissionsFailed,
  submissionsFinalized,
  submissionsLapsed,
  submissionsOverdue,
  tokensCreated,
  tokensHidden,
  tokensReverted,
  tokensShown,
  tokensTransferFeeChanged,
];

const exampleIds = {
  tokenId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8',
  mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
};

const BOTH_IDS = Type.Object({ tokenId: Type.Optional(Uuid), mintAddress: Type.Optional(Address) });

/** Every one names its token by both ids: see `cloudEventOf`. */
export const outcomes: readonly AnyOutcome[] = all.map((outcome) => ({
  ...outcome,
  data: Type.Object({ ...BOTH_IDS.properties, ...outcome.data.properties }, optionsOf(outcome.data)),
}));

/** The schema's examples would lack what is added. */
function optionsOf({ examples }: TObject): ObjectOptions {
  return Array.isArray(examples)
    ? { examples: examples.map((example) => ({ ...exampleIds, ...example })) }
    : {};
}

/** Unpublished event types and why, from their streams. A test refuses a type that is neither here nor published. */
export const internalEvents: { readonly [type: string]: string } = Object.assign(
  {},
  ...streams.map(({ internal }) => internal),
);
