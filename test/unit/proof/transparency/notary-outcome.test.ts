// What goes wrong with a notary is told once; what no other try may help stops it, and ends its term where others share the log.
import { NoteInvalid } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { LogFilesDamaged } from '../../../../src/proof/transparency/log-files.ts';
import { createOutcome } from '../../../../src/proof/transparency/notary-outcome.ts';
import { finalProblem, NotaryStopped } from '../../../../src/proof/transparency/notary-status.ts';

const NOW = '2026-05-04T10:00:00.000Z';
const CHANGE = {
  kind: 'edited',
  index: 7,
  eventId: 'event-7',
  stream: 'token-1',
  revision: 2,
  message: 'An event of the log was changed.',
} as const;

function outcomeOf(isShared = false) {
  const told: unknown[] = [];
  const stopping = new AbortController();
  const logger = loggerTo((message, fields, level) => void told.push([level, message, fields]));
  const outcome = createOutcome({ logger, isShared, now: () => NOW, stopping });
  let hasEnded = false;
  void outcome.ended.then(() => {
    hasEnded = true;
  });
  const ended = async () => {
    await Promise.resolve();
    await Promise.resolve();
    return hasEnded;
  };
  return { outcome, told, stopping, ended };
}

describe('a problem that may pass', () => {
  test('is told once, shown until it has passed, and then told to be over', () => {
    const { outcome, told, stopping } = outcomeOf();
    outcome.problemFound(new Error('the disk is full'));
    outcome.problemFound(new Error('the disk is still full'));
    expect([outcome.error(), outcome.trouble()]).toEqual(['the disk is still full', undefined]);
    outcome.recovered();
    outcome.recovered();
    expect(outcome.error()).toBeUndefined();
    outcome.problemFound(new Error('the disk is full again'));
    expect(told).toEqual([
      ['warn', 'notary cannot go on, trying again', { error: 'the disk is full' }],
      ['warn', 'notary recovered', { after: 'the disk is still full' }],
      ['warn', 'notary cannot go on, trying again', { error: 'the disk is full again' }],
    ]);
    expect(stopping.signal.aborted).toBe(false);
  });
});

describe('a problem that no other try may help', () => {
  test.each([
    ['as it says', new NotaryStopped('witness', 'outvoted'), 'witness', 'outvoted'],
    ['with its record', new LogFilesDamaged('the head is damaged'), 'record', 'the head is damaged'],
    ['with its record', new NoteInvalid('no note'), 'record', 'no note'],
  ])('is trouble %s: %s', (_what, problem, kind, message) => {
    expect(finalProblem(problem)).toMatchObject({ kind, message });
    const { outcome, told, stopping } = outcomeOf();
    outcome.problemFound(problem);
    expect(outcome.trouble()).toEqual({ kind, message, since: NOW });
    expect(outcome.error()).toBeUndefined();
    expect(told).toEqual([['error', 'notary stopped: nothing more is signed', { kind, error: message }]]);
    expect(stopping.signal.aborted).toBe(true);
  });

  test('names the event that it is about', () => {
    const { outcome, told } = outcomeOf();
    outcome.problemFound(new NotaryStopped('log', CHANGE.message, CHANGE));
    const event = { eventId: 'event-7', stream: 'token-1', revision: 2 };
    expect(outcome.trouble()).toEqual({ kind: 'log', message: CHANGE.message, since: NOW, event });
    expect(told).toMatchObject([['error', expect.any(String), { kind: 'log', ...event }]]);
  });

  test('is the first one, and none of a notary that was being stopped', () => {
    const { outcome, told, stopping } = outcomeOf();
    outcome.problemFound(new NotaryStopped('witness', 'the first'));
    outcome.problemFound(new NotaryStopped('log', 'the second'));
    expect([outcome.trouble()?.message, told.length]).toEqual(['the first', 1]);
    const stopped = outcomeOf();
    stopped.stopping.abort();
    stopped.outcome.problemFound(new NotaryStopped('log', 'too late'));
    expect([stopped.outcome.trouble(), stopped.told]).toEqual([undefined, []]);
    expect(stopping.signal.aborted).toBe(true);
  });

  test.each([
    ['another notary was first', 'notary', true, true],
    ['another notary was first, where there is none', 'notary', false, false],
    ['the log was changed', 'log', true, false],
  ] as const)('ends the term only where another process may go on: %s', async (_what, kind, isShared, isEnded) => {
    const { outcome, ended } = outcomeOf(isShared);
    outcome.problemFound(new NotaryStopped(kind, 'stopped'));
    expect(await ended()).toBe(isEnded);
  });
});

test('a problem of another kind may pass', () => {
  expect(finalProblem(new Error('no answer'))).toBeUndefined();
});
