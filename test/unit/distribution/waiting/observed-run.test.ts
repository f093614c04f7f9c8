/** What is seen of a run that waits: since when, over restarts too, and what of it is logged. */
import { expect, test } from 'vitest';
import { type ObservedRun, observeStep } from '../../../../src/distribution/waiting/observed-run.ts';
import type { EngineStep } from '../../../../src/streams/distribution-step.ts';
import { type Wait, waitFor } from '../../../../src/streams/distribution-wait.ts';

const RECORDED = '2026-05-04T10:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(RECORDED) + seconds * 1_000);

interface Look {
  readonly second: number;
  readonly waitingFor?: Wait;
  readonly step?: EngineStep;
  readonly movedAt?: string;
}

function look(
  before: ObservedRun | undefined,
  { second, waitingFor, step = 'pay', movedAt = RECORDED }: Look,
): ObservedRun {
  return observeStep(before, { step, movedAt, waitingFor, now: at(second) });
}

function looks(...all: readonly Look[]) {
  const lines: object[] = [];
  let seen: ObservedRun | undefined;
  for (const one of all) {
    seen = look(seen, one);
    lines.push(...seen.lines);
  }
  return { seen, lines };
}

const SILENT = waitFor('chain-unavailable', undefined, 'fetch failed');
const MISSING = waitFor('record-unreadable', undefined, 'the ledger file ab is missing');

test('the first wait after a start counts from what was recorded last, and later ones from when they began', () => {
  const first = look(undefined, { second: 500, waitingFor: SILENT });
  expect(first.progress).toMatchObject({
    since: RECORDED,
    waitingFor: { code: SILENT.code, since: RECORDED },
  });
  const other = look(first, { second: 510, waitingFor: waitFor('unconfirmed') });
  expect(other.progress.waitingFor).toMatchObject({
    code: 'unconfirmed',
    since: at(510).toISOString(),
  });
  const moved = look(other, { second: 520, waitingFor: SILENT, movedAt: at(519).toISOString() });
  expect(moved.progress.waitingFor).toMatchObject({ since: at(520).toISOString() });
});

test('trouble is logged once when it lasts, however often it is met, and its end with how long it took', () => {
  const { lines } = looks(
    { second: 0 },
    { second: 1, waitingFor: SILENT },
    { second: 10, waitingFor: SILENT },
    { second: 17, waitingFor: SILENT },
    // A page of the scan was read in between: nothing has moved.
    { second: 18 },
    { second: 30, waitingFor: SILENT },
    { second: 721, waitingFor: SILENT },
    { second: 722, movedAt: at(722).toISOString() },
    { second: 723 },
  );
  expect(lines).toEqual([
    {
      message: 'distribution waits',
      details: {
        step: 'pay',
        code: 'chain-unavailable',
        detail: SILENT.detail,
        error: 'fetch failed',
        since: at(1).toISOString(),
      },
    },
    {
      message: 'distribution continues',
      details: { step: 'pay', code: 'chain-unavailable', afterSeconds: 721 },
    },
  ]);
});

test('what is usual is logged when it takes longer than its step may', () => {
  const usual = waitFor('finality');
  expect(looks({ second: 0, waitingFor: usual }, { second: 299, waitingFor: usual }).lines).toEqual([]);
  expect(looks({ second: 0, waitingFor: usual }, { second: 300, waitingFor: usual }).lines).toHaveLength(1);
});

test('a wait that was not met for three minutes is over: more than the longest pause between two tries', () => {
  const { lines } = looks(
    { second: 0, waitingFor: MISSING },
    { second: 179 },
    { second: 180 },
    { second: 190 },
  );
  expect(lines.map((line) => Reflect.get(line, 'message'))).toEqual([
    'distribution waits',
    'distribution continues',
  ]);
});
