// The view of an open run: without one there is none, and nobody decides on half of it.
import { expect, test } from 'vitest';
import { type Recorded, runViewOf, tillOf } from '../../../../src/distribution/view.ts';
import { distribution } from '../../../../src/streams/distribution.ts';
import { distributionRun } from '../../../../src/streams/distribution-run.ts';
import { linksLanded, runId, runOpened } from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
import { courseTo, KEYRING, NOW, TOKEN, viewOf } from '../../../support/run-examples.ts';

const opened = distribution.evolve(distribution.initial, runOpened);
const run = { runId, state: distributionRun.initial, revision: 0 };
const recorded = (state: Recorded['state'], ofRun: Recorded['run']): Recorded => ({
  tokenId: ids.tokenId,
  state,
  revision: 0,
  run: ofRun,
  isAllHalted: false,
  movedAt: NOW.toISOString(),
});
const view = (given: Recorded) => runViewOf({ keyring: KEYRING }, given, { token: undefined });

test('a run that is open is seen with its token, whose addresses are derived once', () => {
  const memory = { token: undefined };
  const seen = runViewOf({ keyring: KEYRING }, recorded(opened, run), memory);
  expect(seen).toMatchObject({ open: runOpened.data, run: distributionRun.initial });
  expect(seen.token.tokens).toBe(TOKEN.tokens);
  expect(memory.token).toBe(seen.token);
  const again = runViewOf({ keyring: KEYRING }, recorded(opened, run), { token: TOKEN });
  expect(again.token).toBe(TOKEN);
});

test('without an open run, or without what is recorded of it, there is nothing to decide on', () => {
  expect(() => view(recorded(distribution.initial, run))).toThrow('no run is open');
  expect(() => view(recorded(opened, undefined))).toThrow('no run is open');
});

test('no link is made before the first till is there', () => {
  expect(() => tillOf(viewOf([runOpened]).state)).toThrow('the first link has not landed');
  expect(tillOf(viewOf(courseTo(linksLanded)).state)).toMatchObject({ number: 0 });
});
