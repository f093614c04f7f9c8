// Drafts that only time changes rest for some slots; whatever else happens to them has them looked at at once.
import { describe, expect, test } from 'vitest';
import { createCheckSchedule } from '../../../../src/drafts/settling/check-schedule.ts';
import type { LoadedDraft } from '../../../../src/drafts/settling/loaded-draft.ts';
import { landedStep, type Step } from '../../../../src/drafts/settling/steps.ts';
import type { DraftEvent } from '../../../../src/streams/draft-events.ts';
import { SubmissionDropped } from '../../../../src/streams/draft-events.ts';
import { causeOf } from '../../../support/counter.ts';
import {
  draftIssued,
  signatures,
  submissionAccepted,
  submissionConfirmed,
} from '../../../support/domain-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';

const PAUSE = 300;
const WAIT: Step = { kind: 'wait' };

function restsOf({ slot }: { readonly slot: number | undefined } = { slot: 400 }) {
  let now = 1_000_000;
  const rests = createCheckSchedule({
    clock: { now: () => new Date(now) },
    slotTime: { measured: async () => slot, latest: () => slot },
    pause: PAUSE,
  });
  return {
    ...rests,
    later(milliseconds: number) {
      now += milliseconds;
    },
  };
}

function followed(transactionId: string, ...events: readonly DraftEvent[]): LoadedDraft {
  return { transactionId, state: draftAfter(...events), cause: causeOf() };
}
const confirmed = (id: string) => followed(id, draftIssued, submissionAccepted, submissionConfirmed);
const submitted = (id: string) => followed(id, draftIssued, submissionAccepted);
const shown = (transactionId: string) => ({ transactionId, status: 'confirmed' as const });

describe('a draft that waits for finality', () => {
  test.each<[string, number | undefined, number]>([
    ['four slots', 400, 1_600],
    ['a second where nobody knows how long slots are', undefined, 1_000],
    ['no less than the pause between two rounds', 10, PAUSE],
    ['no more than two seconds', 900, 2_000],
  ])('rests for %s', (_how, slot, rest) => {
    const rests = restsOf({ slot });
    rests.after(confirmed('a'), WAIT);
    rests.later(rest - 1);
    expect(rests.due([shown('a')])).toEqual([]);
    rests.later(1);
    expect(rests.due([shown('a')])).toEqual(['a']);
  });

  test('is looked at at once when it has another status, or none that is shown', () => {
    const rests = restsOf();
    rests.after(confirmed('a'), WAIT);
    expect(rests.due([{ transactionId: 'a', status: 'submitted' }])).toEqual(['a']);
    expect(rests.due([{ transactionId: 'a' }])).toEqual(['a']);
    expect(rests.due([shown('b')])).toEqual(['b']);
  });

  test('rests from its confirmation on', () => {
    const rests = restsOf();
    rests.after(submitted('a'), landedStep('a', 'confirmed', { signature: signatures.first, slot: 1 }));
    expect(rests.due([shown('a')])).toEqual([]);
  });
});

test.each<[string, Step]>([
  ['is sent', { kind: 'send', transaction: '' }],
  ['is gone', { kind: 'absent', event: SubmissionDropped({ transactionId: 'a' }) }],
  ['is final', landedStep('a', 'finalized', { signature: signatures.first, slot: 1 })],
])('a draft that %s rests no more', (_what, step) => {
  const rests = restsOf();
  rests.after(confirmed('a'), WAIT);
  expect(rests.due([shown('a')])).toEqual([]);
  rests.after(confirmed('a'), step);
  expect(rests.due([shown('a')])).toEqual(['a']);
  expect(rests.pauseOf(['a'])).toBe(PAUSE);
});

test('a submitted draft never rests: it may land at any moment', () => {
  const rests = restsOf();
  rests.after(submitted('a'), WAIT);
  expect(rests.due([{ transactionId: 'a', status: 'submitted' }])).toEqual(['a']);
});

describe('the pause until the next look', () => {
  test('is that of the first that rests, and no shorter than the pause', () => {
    const rests = restsOf();
    rests.after(confirmed('a'), WAIT);
    rests.later(500);
    rests.after(confirmed('b'), WAIT);
    expect(rests.pauseOf(['a', 'b'])).toBe(1_100);
    rests.later(1_099);
    expect(rests.pauseOf([])).toBe(PAUSE);
  });

  test('is two seconds at most, also where none rests', () => {
    expect(restsOf().pauseOf([])).toBe(2_000);
  });
});

test('drafts that are not there any more are forgotten', () => {
  const rests = restsOf();
  for (const id of ['a', 'b']) rests.after(confirmed(id), WAIT);
  rests.dropOthers(new Set(['b']));
  expect(rests.due([shown('a'), shown('b')])).toEqual(['a']);
});
