// What a node's list says of memos rules out only what cannot be ours.
import { compileLegacyMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { likelihoodByMemos, memosOf } from '../../../../src/drafts/settling/outcome-search.ts';
import { addresses } from '../../../support/domain-examples.ts';

const message = (...memos: readonly string[]) =>
  compileLegacyMessage({
    payer: addresses.creator,
    instructions: memos.map((text) => ({ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text) })),
    recentBlockhash: addresses.mint,
  }).bytes;

test('the memos of a message are read from it', () => {
  expect(memosOf(message('promotion 7', 'more'))).toEqual(['promotion 7', 'more']);
  expect(memosOf(message())).toEqual([]);
});

test('what other programs are given is no memo, and what is no message has none', () => {
  const others = compileLegacyMessage({
    payer: addresses.creator,
    instructions: [
      { program: addresses.nonceAccount, accounts: [], data: Buffer.from('no memo') },
      { program: MEMO_PROGRAM, accounts: [], data: Buffer.from('a memo') },
    ],
    recentBlockhash: addresses.mint,
  }).bytes;
  expect(memosOf(others)).toEqual(['a memo']);
  expect(memosOf(others.slice(0, -1))).toEqual([]);
});

test('a transaction with one of our two memos is another one', () => {
  const ours = [memosOf(message('promotion 7', 'more'))];
  expect(likelihoodByMemos({ memo: '[11] promotion 7; [4] more' }, ours)).toBe('likely');
  expect(likelihoodByMemos({ memo: '[11] promotion 7' }, ours)).toBe('ruled-out');
});

test.each([
  ['likely with the memo of ours', '[11] promotion 7', 'likely'],
  ['possible without one: the node may keep none', undefined, 'possible'],
  ['ruled out with another', '[11] promotion 8', 'ruled-out'],
])('a transaction is %s', (_what, memo, likelihood) => {
  expect(likelihoodByMemos({ memo }, [memosOf(message('promotion 7'))])).toBe(likelihood);
  // The advance of a nonce has none.
  expect(likelihoodByMemos({ memo }, [memosOf(message('promotion 7')), []])).toBe(likelihood);
});

test('any memo rules out a transaction where ours has none', () => {
  expect(likelihoodByMemos({ memo: '[2] hi' }, [[]])).toBe('ruled-out');
  expect(likelihoodByMemos({ memo: undefined }, [[]])).toBe('possible');
});
