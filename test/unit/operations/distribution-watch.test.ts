// What readiness and metrics learn of distributions, over a real read model.
import { expect, test } from 'vitest';
import type { ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { createDistributionWatch } from '../../../src/operations/distribution-watch.ts';
import { distributionSwitch } from '../../../src/projections/distribution-switch.ts';
import { type DistributionDocument, distributions } from '../../../src/projections/distributions.ts';
import { projections } from '../../../src/projections/index.ts';
import type { HaltCode } from '../../../src/streams/distribution.ts';
import { DISTRIBUTION_SWITCH } from '../../../src/streams/distribution-switch.ts';
import { distributionDocument } from '../../support/distribution-document.ts';
import { liveReadModel } from '../../support/projecting.ts';

const since = '2026-05-04T10:00:00.000Z';
const clock = { now: () => new Date('2026-05-04T10:05:00.000Z') };

const readModel = () => liveReadModel(projections);

function halted(code: HaltCode): DistributionDocument {
  return distributionDocument(randomId(), {
    state: 'halted',
    halted: { code, reason: 'The books were looked at.', by: 'alice', since },
  });
}

async function write(model: ReadModel, documents: readonly DistributionDocument[]): Promise<void> {
  const changes = documents.map((document) => ({ key: document.tokenId, position: '1', document }));
  await model.commit([{ collection: distributions, changes }]);
}

test('nothing is halted, and nothing was done, at first', async () => {
  const seen = await createDistributionWatch(await readModel(), clock).look();
  expect(seen).toMatchObject({ totals: { runsOpened: 0 }, haltedTokens: [], allHaltedSince: undefined });
  expect(Object.values(seen.halted).every((count) => count === 0)).toBe(true);
});

test('halted tokens are counted by code, and those that a check halted are named first', async () => {
  const model = await readModel();
  const byOperator = Array.from({ length: 12 }, () => halted('OPERATOR'));
  const byCheck = [halted('BOOKS_DISAGREE'), halted('POT_MISSING')];
  await write(model, [...byOperator, ...byCheck]);
  const seen = await createDistributionWatch(model, clock).look();
  expect(seen.halted).toMatchObject({ OPERATOR: 12, BOOKS_DISAGREE: 1, POT_MISSING: 1, PAYMENT_UNKNOWN: 0 });
  expect(seen.haltedTokens).toHaveLength(10);
  expect(seen.haltedTokens.slice(0, 2).map(({ code }) => code)).toEqual(['POT_MISSING', 'BOOKS_DISAGREE']);
  expect(seen.haltedTokens[0]).toEqual({ tokenId: byCheck[1]?.tokenId, code: 'POT_MISSING', since });
});

test('a halt of all tokens is told with its beginning', async () => {
  const model = await readModel();
  const document = { reason: 'The node was replaced.', by: 'alice', since };
  const changes = [{ key: DISTRIBUTION_SWITCH, position: '1', document }];
  await model.commit([{ collection: distributionSwitch, changes }]);
  expect((await createDistributionWatch(model, clock).look()).allHaltedSince).toBe(since);
});
