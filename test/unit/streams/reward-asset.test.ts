// What holders are paid in: SOL or the token itself, by whichever name.
import { NATIVE_MINT, NATIVE_MINT_2022 } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { rewardAsset } from '../../../src/streams/reward-asset.ts';
import { addresses } from '../../support/domain-examples.ts';

test.each([
  ['SOL', 'sol'],
  [NATIVE_MINT, 'sol'],
  ['SELF', 'token'],
  [addresses.mint, 'token'],
  [addresses.creator, undefined],
  [NATIVE_MINT_2022, undefined],
  ['sol', undefined],
  ['', undefined],
])('%s means %s', (rewardToken, asset) => {
  expect(rewardAsset({ rewardToken }, addresses.mint)).toBe(asset);
});

test('a mint means nothing where the token has none yet', () => {
  expect(rewardAsset({ rewardToken: addresses.mint }, undefined)).toBeUndefined();
  expect(rewardAsset({ rewardToken: 'SELF' }, undefined)).toBe('token');
});
