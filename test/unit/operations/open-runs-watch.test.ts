// Open runs by step, and those that are stuck, over a real read model: what a restart and another process see as well.
import { expect, test } from 'vitest';
import type { RunOpening, RunProgress } from '../../../src/distribution/services.ts';
import type { ReadModel } from '../../../src/kernel/ports/read-model.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { createOpenRunsWatch } from '../../../src/operations/open-runs-watch.ts';
import {
  type DistributionRunDocument,
  distributionRuns,
} from '../../../src/projections/distribution-runs.ts';
import { distributionSwitch } from '../../../src/projections/distribution-switch.ts';
import { distributions } from '../../../src/projections/distributions.ts';
import { projections } from '../../../src/projections/index.ts';
import { DISTRIBUTION_SWITCH } from '../../../src/streams/distribution-switch.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { distributionDocument } from '../../support/distribution-document.ts';
import { runAllotted, runOpened } from '../../support/distribution-examples.ts';
import { liveReadModel } from '../../support/projecting.ts';
import { happening, recordedEvents } from '../../support/recorded-events.ts';

const NOW = '2026-05-04T10:20:00.000Z';
const JUST_NOW = '2026-05-04T10:19:00.000Z';
const LONG_AGO = '2026-05-04T10:00:00.000Z';
const clock = { now: () => new Date(NOW) };

const readModel = () => liveReadModel(projections);

type Step = DistributionRunDocument['steps'][number]['step'];

function run(step: Step, movedAt: string, payAfter?: string): DistributionRunDocument {
  const [event] = recordedEvents([happening(randomId(), runOpened)]);
  const made = event && distributionRuns.on.RunOpened?.apply(undefined, event);
  if (made === undefined) throw new Error('an opened run has a document');
  const document = made as DistributionRunDocument;
  return {
    ...document,
    runId: randomId(),
    tokenId: randomId(),
    steps: [{ step, begunAt: LONG_AGO, batches: 0 }],
    progress: { movedAt, pending: null },
    records:
      payAfter === undefined
        ? document.records
        : { ...document.records, allotted: { ...runAllotted.data, payAfter } },
  };
}

async function write(model: ReadModel, ...runs: readonly DistributionRunDocument[]): Promise<void> {
  const changes = runs.map((document) => ({ key: document.runId, position: '1', document }));
  await model.commit([{ collection: distributionRuns, changes }]);
}

async function halt(model: ReadModel, { tokenId }: DistributionRunDocument): Promise<void> {
  const document = distributionDocument(tokenId, {
    halted: { code: 'OPERATOR', reason: 'x', by: 'alice', since: NOW },
  });
  await model.commit([{ collection: distributions, changes: [{ key: tokenId, position: '2', document }] }]);
}

async function haltAll(model: ReadModel): Promise<void> {
  const document = { reason: 'x', by: 'alice', since: NOW };
  const changes = [{ key: DISTRIBUTION_SWITCH, position: '1', document }];
  await model.commit([{ collection: distributionSwitch, changes }]);
}

const look = (
  model: ReadModel,
  of: (tokenId: string) => RunProgress | undefined = () => undefined,
  opening: readonly RunOpening[] = [],
) =>
  createOpenRunsWatch({
    readModel: model,
    clock,
    progress: () => ({
      of,
      opening: () => opening,
      overview: () => {
        throw new Error('nobody asks for it');
      },
    }),
  }).look();

test('runs are counted by their step, and a run that has not moved for longer than it may is stuck', async () => {
  const model = await readModel();
  const stuck = run('pay', LONG_AGO);
  const usual = run('scan', '2026-05-04T10:06:00.000Z');
  await write(model, run('pay', JUST_NOW), stuck, usual);
  const seen = await look(model);
  expect([seen.counts.get('pay'), seen.counts.get('scan'), seen.counts.get('close')]).toEqual([2, 1, 0]);
  expect(seen.stuck).toEqual([
    { tokenId: stuck.tokenId, runId: stuck.runId, step: 'pay', since: LONG_AGO, movedAt: LONG_AGO },
  ]);
  expect(seen.oldest.get('pay')).toMatchObject({ runId: stuck.runId });
  expect(seen.oldest.get('scan')).toMatchObject({ runId: usual.runId });
});

test('before its announced moment a run is in a step of its own, and from then on it may be stuck', async () => {
  const model = await readModel();
  const early = run('open', LONG_AGO, '2026-05-04T10:30:00.000Z');
  const late = run('open', LONG_AGO, '2026-05-04T10:16:00.000Z');
  const stuck = run('open', LONG_AGO, '2026-05-04T10:14:59.000Z');
  await write(model, early, late, stuck);
  const seen = await look(model);
  expect([seen.counts.get('announce'), seen.counts.get('open')]).toEqual([1, 2]);
  expect(seen.stuck.map(({ runId }) => runId)).toEqual([stuck.runId]);
});

test('a halted run is not stuck, by itself or with all', async () => {
  const model = await readModel();
  const halted = run('pay', LONG_AGO);
  await write(model, halted);
  await halt(model, halted);
  const seen = await look(model);
  expect(seen).toMatchObject({ stuck: [], waits: [] });
  expect(seen.oldest.size).toBe(0);
  const other = await readModel();
  await write(other, run('pay', LONG_AGO));
  await haltAll(other);
  expect((await look(other)).stuck).toEqual([]);
});

test('a fault is told at once, trouble when it lasts, and what the engine has just read of the log counts', async () => {
  const model = await readModel();
  const [faulty, troubled, passing, usual, resumed] = [
    run('allot', JUST_NOW),
    run('pay', JUST_NOW),
    run('pay', JUST_NOW),
    run('pay', JUST_NOW),
    run('pay', LONG_AGO),
  ] as const;
  await write(model, faulty, troubled, passing, usual, resumed);
  const waits = new Map<string, RunProgress>([
    [faulty.tokenId, inProgress('record-unreadable', NOW)],
    [troubled.tokenId, inProgress('chain-unavailable', '2026-05-04T10:17:59.000Z')],
    [passing.tokenId, inProgress('chain-unavailable', '2026-05-04T10:18:01.000Z')],
    [usual.tokenId, inProgress('finality', LONG_AGO)],
    [resumed.tokenId, { step: 'pay', since: LONG_AGO, movedAt: JUST_NOW, waitingFor: undefined }],
  ]);
  const seen = await look(model, (tokenId) => waits.get(tokenId));
  expect(seen.stuck.map(({ runId }) => runId).sort()).toEqual([faulty.runId, troubled.runId].sort());
  expect(seen.waits.map(({ code, since }) => [code, since]).sort()).toEqual([
    ['chain-unavailable', '2026-05-04T10:17:59.000Z'],
    ['finality', LONG_AGO],
    ['record-unreadable', NOW],
  ]);
});

function inProgress(code: Parameters<typeof waitFor>[0], since: string): RunProgress {
  return { step: 'pay', since: LONG_AGO, waitingFor: { ...waitFor(code), since } };
}

test('a run that cannot be opened is stuck as well: by what it waits for, or because it takes too long', async () => {
  const model = await readModel();
  const opening = (since: string, code?: 'unconfirmed' | 'finality'): RunOpening => ({
    tokenId: randomId(),
    since,
    waitingFor: code && { ...waitFor(code), since },
  });
  const disagreeing = opening('2026-05-04T10:17:59.000Z', 'unconfirmed');
  const endless = opening('2026-05-04T10:04:59.000Z');
  const usual = opening('2026-05-04T10:05:01.000Z', 'finality');
  const all = [disagreeing, endless, usual, opening(JUST_NOW, 'unconfirmed')];
  const { stuck, waits } = await look(model, undefined, all);
  expect(stuck.map(({ tokenId, runId, step }) => [tokenId, runId, step])).toEqual([
    [endless.tokenId, null, 'consider'],
    [disagreeing.tokenId, null, 'consider'],
  ]);
  expect(waits).toContainEqual(disagreeing.waitingFor);
  // Nothing is opened while an operator has halted all.
  await haltAll(model);
  expect((await look(model, undefined, all)).stuck).toEqual([]);
});
