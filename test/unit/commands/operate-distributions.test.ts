// The rules by which operators halt and resume distributions, and ask for runs.
import { describe, expect, test } from 'vitest';
import {
  haltAllDistributions,
  resumeAllDistributions,
} from '../../../src/commands/halt-all-distributions.ts';
import { haltDistribution, resumeDistribution } from '../../../src/commands/halt-distribution.ts';
import { requestRun } from '../../../src/commands/request-run.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import {
  DistributionHalted,
  DistributionResumed,
  distribution,
  RunRequested,
} from '../../../src/streams/distribution.ts';
import { AllDistributionsHalted, AllDistributionsResumed } from '../../../src/streams/distribution-switch.ts';
import { commandSpec, rejectionOf } from '../../support/command-spec.ts';
import {
  distributionHalted as haltedByCheck,
  runClosed,
  runId,
  runOpened,
  runSkipped,
} from '../../support/distribution-examples.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

const { tokenId } = ids;
const params = { tokenId };
const reason = 'The node and its witness disagree.';
const input = { params, body: { reason } };
const facts = { reason };
const halted = DistributionHalted({ tokenId, runId: null, code: 'OPERATOR', reason });
const resumed = DistributionResumed({ tokenId, reason });

describe('HaltDistribution', () => {
  const spec = commandSpec(haltDistribution);

  test('records the halt, with the run that it stops', () => {
    spec.given().when({ input, facts }).records(halted);
    spec.given(runOpened, runClosed).when({ input, facts }).records(halted);
    spec.given(halted, resumed).when({ input, facts }).records(halted);
    spec
      .given(runOpened)
      .when({ input, facts })
      .records(DistributionHalted({ tokenId, runId, code: 'OPERATOR', reason }));
  });

  test('records nothing for what is halted, whatever the reason and whoever halted it', () => {
    const other = { input: { params, body: { reason: 'Another.' } }, facts: { reason: 'Another.' } };
    spec.given(halted).when(other).recordsNothing();
    spec.given(runOpened, haltedByCheck).when(other).recordsNothing();
  });

  test('finds the token by its id and by its mint', () => {
    const caller = { commandId: ids.transactionId, actor: 'operator:alice', tokenId: undefined };
    const named = (reference: string) =>
      haltDistribution.streamId({ ...input, params: { tokenId: reference }, query: {} }, caller);
    expect(named(tokenId)).toBe(tokenId);
    expect(named(addresses.mint)).toBe(deriveId('token', addresses.mint));
  });
});

describe('ResumeDistribution', () => {
  const spec = commandSpec(resumeDistribution);

  test('records that what an operator or a check has halted goes on', () => {
    spec.given(halted).when({ input, facts }).records(resumed);
    spec.given(runOpened, haltedByCheck).when({ input, facts }).records(resumed);
  });

  test('records nothing for what is not halted', () => {
    spec.given().when({ input, facts }).recordsNothing();
    spec.given(runOpened, haltedByCheck, resumed).when({ input, facts }).recordsNothing();
  });
});

describe('RequestRun', () => {
  const spec = commandSpec(requestRun);
  const fresh = spec.given();
  const open = { reason, isHidden: false, isEnabled: true, areAllHalted: false };
  const requested = RunRequested({ tokenId, reason });

  test('records the wish, also after a run and after a skipped one', () => {
    fresh.when({ input, facts: open }).records(requested);
    spec.given(runOpened, runClosed).when({ input, facts: open }).records(requested);
    spec.given(requested, runSkipped).when({ input, facts: open }).records(requested);
    spec.given(halted, resumed).when({ input, facts: open }).records(requested);
  });

  test('records nothing while a run is asked for', () => {
    spec.given(requested).when({ input, facts: open }).recordsNothing();
  });

  test('is refused while the run could not be opened, and says why', () => {
    fresh.when({ input, facts: { ...open, isHidden: true } }).rejects('TOKEN_HIDDEN');
    fresh.when({ input, facts: { ...open, isEnabled: false } }).rejects('DISTRIBUTION_DISABLED');
    fresh.when({ input, facts: { ...open, areAllHalted: true } }).rejects('DISTRIBUTION_HALTED');
    spec.given(halted).when({ input, facts: open }).rejects('DISTRIBUTION_HALTED');
    spec.given(runOpened, haltedByCheck).when({ input, facts: open }).rejects('DISTRIBUTION_HALTED');
    spec.given(runOpened).when({ input, facts: open }).rejects('RUN_ALREADY_OPEN');
  });

  test('names the code of the halt, and the run that is open', () => {
    const messageAfter = (...events: readonly Parameters<typeof distribution.evolve>[1][]) => {
      const state = events.reduce(distribution.evolve, distribution.initial);
      return rejectionOf(() => requestRun.decide(state, { ...input, query: {} }, open, 'operator:alice'))
        .message;
    };
    expect(messageAfter(runOpened, haltedByCheck)).toContain('BOOKS_DISAGREE');
    expect(messageAfter(runOpened)).toContain(runId);
  });
});

describe('the distribution of all tokens', () => {
  const halt = commandSpec(haltAllDistributions);
  const resume = commandSpec(resumeAllDistributions);
  const allHalted = AllDistributionsHalted({ reason });
  const allResumed = AllDistributionsResumed({ reason });
  const when = { input: { body: { reason } }, facts };

  test('is halted once, whatever the reason', () => {
    halt.given().when(when).records(allHalted);
    halt.given(allHalted, allResumed).when(when).records(allHalted);
    halt
      .given(allHalted)
      .when({ input: { body: { reason: 'Another.' } }, facts: { reason: 'Another.' } })
      .recordsNothing();
  });

  test('is resumed once', () => {
    resume.given(allHalted).when(when).records(allResumed);
    resume.given().when(when).recordsNothing();
    resume.given(allHalted, allResumed).when(when).recordsNothing();
  });
});
