// The read model of launches: what a status is told from.
import { describe, expect, test } from 'vitest';
import { type LaunchDocument, launches } from '../../../src/projections/launches.ts';
import { addresses, ids } from '../../support/domain-examples.ts';
import {
  launchCompleted,
  launchStarted,
  launchSubject,
  startedLaunch,
} from '../../support/launch-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const started = happening(tokenId, launchStarted, '2026-05-04T10:00:41.000Z');
const completed = happening(tokenId, launchCompleted, '2026-05-05T10:00:00.000Z');

const active: LaunchDocument = {
  tokenId,
  creator: addresses.creator,
  launch: launchSubject,
  launchedAt: startedLaunch.startedAt,
  completed: null,
};
const over: LaunchDocument = {
  ...active,
  completed: { at: '2026-05-05T10:00:00.000Z', sqrtPrice: '368934881474191033' },
};

describe('launches', () => {
  const spec = projectionSpec(launches);

  test('keeps the price at which the target was first reached', () => {
    spec.given(started, completed).gives({ [tokenId]: over });
  });

  test('knows nothing of a target whose launch it does not know', () => {
    spec.given(completed).gives({});
  });

  test('finds launches by mint, and those whose pools are to be watched', () => {
    const { mint, state } = launches.indexes ?? {};
    expect([active, over].map((document) => mint?.(document))).toEqual([[addresses.mint], [addresses.mint]]);
    expect([active, over].map((document) => state?.(document))).toEqual([['active'], ['completed']]);
  });
});
