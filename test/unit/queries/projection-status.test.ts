// Lag of a read model behind the log, as operators see it.
import { expect, test } from 'vitest';
import { listProjections } from '../../../src/queries/list-projections.ts';
import { projectionStatus } from '../../support/projection-status.ts';
import { answering } from '../../support/query-spec.ts';

const extentOf = (position: string) => ({ unit: 'events' as const, amount: Number(position) });

test.each([
  ['0009', 3, true],
  ['0012', 0, false],
  // The read model advanced after the head was read.
  ['0013', 0, false],
])('a read model at %s is %d events behind a log of twelve', async (position, amount, behind) => {
  const ask = await answering([]);
  const projections = async () => ({
    head: '0012',
    lastConcerning: '0012',
    projections: [projectionStatus({ position })],
    extentOf,
  });
  expect(await ask(listProjections, { services: { projections } })).toMatchObject({
    projections: [{ behind, lag: { unit: 'events', count: amount } }],
  });
});
