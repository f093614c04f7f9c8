/** An event that is copied to the end of its stream is one that no command records: what it says is so already. */
import { expect, test } from 'vitest';
import { evolved } from '../../../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, type Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { ruleBrokenBy } from '../../../../src/proof/audit/log/stream-rules.ts';
import { streams } from '../../../../src/streams/index.ts';
import { examplesOf } from '../../../support/golden-files.ts';

const codec = createEventCodec(streams);

function exampleOf(type: string, revision: number): Recorded {
  const [example] = examplesOf({ type });
  if (example === undefined) throw new Error(`no example of ${type}`);
  const { tokenId, runId } = example.data;
  // Some examples were recorded in a stream of another name than that of their token or run.
  const stream =
    type === 'LaunchCompleted'
      ? `launch-${String(tokenId)}`
      : example.stream.startsWith('run-')
        ? `run-${String(runId)}`
        : example.stream;
  return codec.decode({ ...example, stream, id: `${revision}`, revision, position: `${revision}` });
}

function after(...types: readonly string[]): unknown {
  const category = exampleOf(types[0] ?? '', 0).stream.split('-')[0];
  const stream = streams.find((one) => one.category === category);
  if (stream === undefined) throw new Error(`no stream ${category}`);
  return types.reduce<unknown>(
    (state, type, revision) => evolved(stream, state, exampleOf(type, revision)),
    stream.initial,
  );
}

test.each([
  ['AllDistributionsHalted'],
  ['AllDistributionsHalted', 'AllDistributionsResumed'],
  ['ChallengeUsed'],
  ['DistributionHalted'],
  ['DistributionHalted', 'DistributionResumed'],
  ['DistributionWalletGenerated'],
  ['HoldersScanned'],
  ['LaunchStarted'],
  ['LaunchStarted', 'LaunchCompleted'],
  ['PartnerMade'],
  ['PartnerMade', 'PartnerKeyRotated'],
  ['PartnerMade', 'PartnerEnded'],
  ['RunAllotted'],
  ['RunAllotted', 'RoundRecorded'],
  ['SaleAwaited'],
  ['ScanDisagreed'],
  ['ServiceInitialized'],
  ['TaxCollected'],
  ['TaxSplit'],
  ['TokenCreated'],
  ['TokenCreated', 'TokenCreationReverted'],
  ['TokenCreated', 'TokenHidden'],
  ['TokenCreated', 'TokenHidden', 'TokenShown'],
  ['WitnessAwaited'],
])('the last of %s %s %s comes once', (...types) => {
  const [last = '', before] = [types.at(-1), types.slice(0, -1)];
  const copy = exampleOf(last, types.length);
  expect(ruleBrokenBy(after(...types), copy)).toMatchObject({
    what: `${last} changes the state of its stream`,
  });
  if (before.length > 0) expect(ruleBrokenBy(after(...before), copy)).toBeUndefined();
});

test('a token that a fork took back can be created again', () => {
  const state = after('TokenCreated', 'TokenCreationReverted');
  expect(ruleBrokenBy(state, exampleOf('TokenCreated', 2))).toBeUndefined();
});
