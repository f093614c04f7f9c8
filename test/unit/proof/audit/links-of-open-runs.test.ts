// Links and pots of open runs, which an audit reads from the log; closed runs add none.
import { expect, test } from 'vitest';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { linksOfOpenRuns } from '../../../../src/proof/audit/ledgers/recorded-runs.ts';
import { streams } from '../../../../src/streams/index.ts';
import {
  openRecorded,
  runAllotted,
  runClosed,
  runId,
  runOpened,
  splitRecorded,
} from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const stream = `distribution-${ids.tokenId}`;
const stored = storedEvents([
  happening(ids.tokenId, runOpened),
  happening(ids.tokenId, splitRecorded),
  happening(runId, runAllotted),
  happening(ids.tokenId, openRecorded),
  happening(ids.tokenId, runClosed),
]);
const log = {
  async *stream(name: string) {
    yield* stored.filter((event) => event.stream === name);
  },
};
const booksWith = (...closed: readonly string[]) =>
  linksOfOpenRuns({ log: log as never, codec: createEventCodec(streams) }, stream, new Set(closed));

test('are the recorded links and pots of a run that is not among the closed ones', async () => {
  const { links, pots } = await booksWith();
  const recorded = [splitRecorded, openRecorded].flatMap(({ data }) => data.links);
  expect([...links.keys()]).toEqual(recorded.map(({ till }) => till));
  expect(pots.map(({ address }) => address)).toEqual(runAllotted.data.pots.map(({ address }) => address));
});

test('are none where every run is closed', async () => {
  const { links, pots } = await booksWith(runId);
  expect([links.size, pots]).toEqual([0, []]);
});
