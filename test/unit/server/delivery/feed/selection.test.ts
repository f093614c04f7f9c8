// Who is told what: the public, a wallet that is signed in, an operator; of all tokens, of one, or of one creator's.
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../../../src/server/delivery/feed/frames.ts';
import {
  type Filter,
  type Follower,
  selectionOf,
} from '../../../../../src/server/delivery/feed/selection.ts';

const [ANN, BEN] = ['ann', 'ben'];
const PUBLIC: Follower = { audience: 'public' };
const nothingHidden: ReadonlySet<string> = new Set();

function frame(name: string, about: Frame['about'], audience: Frame['audience'] = 'public'): Frame {
  return {
    position: '1',
    name,
    about,
    audience,
    hiddenWith: audience === 'public' ? about.tokenId : undefined,
    bytes: () => Buffer.alloc(0),
  };
}

const annsToken = frame('tokens.created', { tokenId: 'a', creator: ANN });
const bensRun = frame('distributions.started', { tokenId: 'b', creator: BEN, partner: 'acme' });
const annsSubmission = frame('submissions.failed', { tokenId: 'a', creator: ANN }, 'creators');
/** Of her chat group. */
const annsSetting = frame('distributions.configured', { tokenId: 'a', creator: ANN }, 'operators');
const unknown = frame('tokens.shown', {});
const all = [annsToken, bensRun, annsSubmission, annsSetting, unknown];

const told = (wanted: Filter, follower: Follower, hidden = nothingHidden) =>
  all.filter((each) => selectionOf(wanted, follower).wants(each, hidden));

describe('a subscriber', () => {
  test('is told what is public, and a wallet what becomes of its own submissions besides', () => {
    expect(told({}, PUBLIC)).toEqual([annsToken, bensRun, unknown]);
    expect(told({}, { ...PUBLIC, wallet: ANN })).toEqual([annsToken, bensRun, annsSubmission, unknown]);
    expect(told({}, { ...PUBLIC, wallet: BEN })).toEqual([annsToken, bensRun, unknown]);
    expect(told({}, { audience: 'operators' })).toEqual(all);
  });

  test('is told of one token, or of the tokens of one creator or partner, where it asks for them', () => {
    expect(told({ tokenId: 'b' }, PUBLIC)).toEqual([bensRun]);
    expect(told({ tokenId: 'a' }, { audience: 'operators' })).toEqual([
      annsToken,
      annsSubmission,
      annsSetting,
    ]);
    expect(told({ creator: ANN }, PUBLIC)).toEqual([annsToken]);
    expect(told({ creator: ANN, tokenId: 'b' }, PUBLIC)).toEqual([]);
    expect(told({ creator: ANN }, { ...PUBLIC, wallet: ANN })).toEqual([annsToken, annsSubmission]);
    expect(told({ creator: BEN, types: 'distributions.*' }, PUBLIC)).toEqual([bensRun]);
    expect(told({ partner: 'acme' }, PUBLIC)).toEqual([bensRun]);
    expect(told({ partner: 'other' }, { audience: 'operators' })).toEqual([]);
  });

  test('is told nothing of a hidden token, except of what it submits itself', () => {
    const hidden = new Set(['a']);
    expect(told({}, { ...PUBLIC, wallet: ANN }, hidden)).toEqual([bensRun, annsSubmission, unknown]);
  });

  test('cannot ask for submissions without a wallet', () => {
    expect(() => selectionOf({ types: 'submissions.*' }, PUBLIC)).toThrow('no events of type');
    expect(told({ types: 'submissions.*' }, { ...PUBLIC, wallet: ANN })).toEqual([annsSubmission]);
  });
});
