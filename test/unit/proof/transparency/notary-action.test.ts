// What the notary does next follows from its state alone.
import { describe, expect, test } from 'vitest';
import {
  type NotaryState,
  nextAction,
  type RoundProgress,
} from '../../../../src/proof/transparency/notary-action.ts';

/** All that happened is published, and the pause is over. */
const IDLE: NotaryState = {
  log: 'compared',
  isTermHeld: true,
  isRested: true,
  isLookDue: false,
  size: 300,
  isMoved: false,
  published: 300,
  signed: 300,
  round: undefined,
};

const PROGRESS: readonly RoundProgress[] = [
  'begun',
  'full files written',
  'owner checked',
  'claimed',
  'head stored',
  'tiles checked',
  'signed',
];

const inRound = (progress: RoundProgress, signed: number | undefined = 300): NotaryState => ({
  ...IDLE,
  size: 310,
  signed,
  round: { size: 305, progress },
});

describe('before the log is compared with the record', () => {
  test.each([
    ['unread', 'read record'],
    ['comparing', 'rest'],
    ['ended', 'end comparison'],
  ] as const)('a log that is %s: %s, whatever else is to do', (log, action) => {
    for (const state of [IDLE, { ...IDLE, size: 305, isMoved: true, isLookDue: true }, inRound('signed')])
      expect(nextAction({ ...state, log })).toBe(action);
  });
});

describe('between two rounds', () => {
  test.each<[string, Partial<NotaryState>, string]>([
    ['nothing is new', {}, 'rest'],
    ['the log has no entry', { size: 0, published: undefined, signed: undefined }, 'rest'],
    ['there are new entries', { size: 305 }, 'begin round'],
    ['nothing was published', { published: undefined }, 'begin round'],
    ['the tree is smaller than the published one', { size: 299 }, 'begin round'],
    ['entries stand elsewhere in the store', { isMoved: true }, 'begin round'],
    ['the last one has just ended', { size: 305, isRested: false }, 'rest'],
    ['the files were not looked at for long', { isLookDue: true }, 'check owner'],
    [
      'the files were not looked at for long, and there are new entries',
      { isLookDue: true, size: 305 },
      'begin round',
    ],
    [
      'the files are to be looked at, and the pause is not over',
      { isLookDue: true, isRested: false },
      'rest',
    ],
  ])('%s: the answer is the same each time', (_name, change, action) => {
    const state = { ...IDLE, ...change };
    expect(nextAction(state)).toBe(action);
    expect(nextAction(state)).toBe(action);
  });
});

describe('a round', () => {
  test.each<[RoundProgress, string]>([
    ['begun', 'write full files'],
    ['full files written', 'check owner'],
    ['owner checked', 'claim'],
    ['claimed', 'store head'],
    ['head stored', 'check tiles'],
    ['tiles checked', 'sign'],
    ['signed', 'publish'],
  ])('that has behind it: %s; comes next: %s', (progress, action) => {
    expect(nextAction(inRound(progress))).toBe(action);
    expect(nextAction({ ...inRound(progress), isRested: false, isLookDue: true })).toBe(action);
  });

  test('claims no tree that was claimed before the start, and each that is larger', () => {
    expect(nextAction(inRound('owner checked', 305))).toBe('store head');
    expect(nextAction(inRound('owner checked', 304))).toBe('claim');
    expect(nextAction({ ...inRound('owner checked'), signed: undefined })).toBe('claim');
  });

  test('ends at whichever step when the term is over', () => {
    for (const progress of PROGRESS)
      expect(nextAction({ ...inRound(progress), isTermHeld: false })).toBe('end term');
  });
});
