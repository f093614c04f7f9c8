// How operators see a read model that is behind the log.
import { expect, test } from 'vitest';
import { projectionView } from '../../../src/queries/list-projections.ts';
import { projectionStatus } from '../../support/projection-status.ts';

const extentOf = (position: string) => ({ unit: 'events' as const, amount: Number(position) });

test.each([
  ['0009', 3, true],
  ['0012', 0, false],
  // It moved on while the head was read.
  ['0013', 0, false],
])('a read model at %s is %d events behind a log of twelve', (position, amount, behind) => {
  expect(projectionView(projectionStatus({ position }), '0012', extentOf)).toMatchObject({
    behind,
    lag: { unit: 'events', count: amount },
  });
});
