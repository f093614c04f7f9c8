// A mint is held against what was recorded of its token, figure by figure; whatever differs is found.
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { auditMint } from '../../../../src/proof/audit/chain/audit-mints.ts';
import { type Finding, findingsInto } from '../../../../src/proof/audit/finding.ts';
import type { TokenCreation } from '../../../../src/streams/purposes/token-creation.ts';
import {
  TokenCreated,
  type TokenEvent,
  TransferFeeChanged,
  token as tokenStream,
} from '../../../../src/streams/token.ts';
import { addresses, ids, token, tokenCreated } from '../../../support/domain-examples.ts';
import { type Fee, type MintShown, mintAccount, U64_MAX } from '../../../support/mint-account.ts';
import { happening, recordedEvents } from '../../../support/recorded-events.ts';

const STRANGER = addresses.otherCreator;
const EPOCH = 700n;

const tax: NonNullable<MintShown['tax']> = {
  older: { epoch: 600n, basisPoints: token.transferFeeBasisPoints, maximum: U64_MAX },
  newer: { epoch: 600n, basisPoints: token.transferFeeBasisPoints, maximum: U64_MAX },
  withdrawAuthority: token.distributionWallet,
};
const metadata: NonNullable<MintShown['metadata']> = {
  mint: token.mintAddress,
  name: token.name,
  symbol: token.symbol,
  uri: token.metadataUri,
};
const HONEST: MintShown = {
  program: TOKEN_2022_PROGRAM,
  decimals: token.decimals,
  supply: BigInt(token.supply),
  tax,
  pointer: { account: token.mintAddress },
  metadata,
};

/** What is found of a token that its creator gave these rights to, with the changes of its tax that were recorded. */
function found(
  account: ChainAccount | undefined,
  rights: Partial<TokenCreation> = {},
  changes: readonly Parameters<typeof TransferFeeChanged>[0][] = [],
): readonly string[] {
  const events = [
    TokenCreated({ ...tokenCreated.data, token: { ...token, ...rights } }),
    ...changes.map((change) => TransferFeeChanged(change)),
  ];
  const recorded = recordedEvents(
    events.map((event) => happening(ids.tokenId, event)),
  ) as readonly Recorded<TokenEvent>[];
  const state = recorded.reduce(tokenStream.evolve, tokenStream.initial);
  const [created] = recorded;
  const taxed = recorded.at(-1);
  if (state === undefined || created === undefined || taxed === undefined) throw new Error('no token');
  const list: Finding[] = [];
  const findings = findingsInto((finding) => list.push(finding));
  auditMint({ state, created, taxed }, account, EPOCH, findings);
  return list.map(({ what }) => what);
}

const shows = (change: Partial<MintShown>) => mintAccount({ ...HONEST, ...change });

describe('a mint', () => {
  test('is right with what its token was created with, or less of it: everybody may burn', () => {
    expect(found(shows({}))).toEqual([]);
    expect(found(shows({ supply: 5n }))).toEqual([]);
  });

  test.each<[string, ChainAccount | undefined, string]>([
    ['is not there', undefined, 'a token has its mint'],
    [
      "is the other token program's",
      shows({ program: TOKEN_PROGRAM, tax: undefined }),
      'a token has its mint',
    ],
    ['has other decimals', shows({ decimals: token.decimals + 1 }), 'a mint has the recorded decimals'],
    ['can be minted from', shows({ mintAuthority: STRANGER }), 'no account can mint more of a token'],
    ['can be frozen', shows({ freezeAuthority: STRANGER }), 'no account can freeze a token'],
    ['takes no tax', shows({ tax: undefined }), 'a mint has a tax'],
    [
      'takes more',
      shows({ tax: { ...tax, newer: { ...tax.newer, basisPoints: token.transferFeeBasisPoints + 1 } } }),
      'a mint has the recorded tax',
    ],
    [
      'takes less of large transfers',
      shows({ tax: { ...tax, newer: { ...tax.newer, maximum: U64_MAX - 1n } } }),
      'a mint has the recorded tax',
    ],
    [
      'will take more, though nothing of that was recorded',
      shows({ tax: { ...tax, newer: { epoch: EPOCH + 1n, basisPoints: 10_000, maximum: U64_MAX } } }),
      'a mint has the recorded tax',
    ],
    [
      'has a tax that somebody can change',
      shows({ tax: { ...tax, configAuthority: STRANGER } }),
      'no account can change the tax',
    ],
    [
      'has a tax that somebody else withdraws',
      shows({ tax: { ...tax, withdrawAuthority: STRANGER } }),
      'the tax is withdrawn by the distribution wallet',
    ],
    [
      'has a tax that nobody withdraws',
      shows({ tax: { older: tax.older, newer: tax.newer } }),
      'the tax is withdrawn by the distribution wallet',
    ],
    ['says nothing of where its metadata are', shows({ pointer: undefined }), 'the metadata is in the mint'],
    ['has its metadata elsewhere', shows({ pointer: { account: STRANGER } }), 'the metadata is in the mint'],
    [
      'has metadata that somebody can put elsewhere',
      shows({ pointer: { account: token.mintAddress, authority: STRANGER } }),
      'no account can change the metadata pointer',
    ],
    ['has no metadata', shows({ metadata: undefined }), 'a mint has metadata'],
    [
      'has those of another mint',
      shows({ metadata: { ...metadata, mint: STRANGER } }),
      'the metadata belongs to this mint',
    ],
    [
      'has another name',
      shows({ metadata: { ...metadata, name: 'Levy Exarnple' } }),
      'the metadata has the recorded name',
    ],
    [
      'has another symbol',
      shows({ metadata: { ...metadata, symbol: 'LEVV' } }),
      'the metadata has the recorded symbol',
    ],
    [
      'has another URI',
      shows({ metadata: { ...metadata, uri: 'https://elsewhere.example' } }),
      'the metadata has the recorded URI',
    ],
    [
      'has metadata that somebody can change',
      shows({ metadata: { ...metadata, updateAuthority: STRANGER } }),
      'no account can change the metadata',
    ],
  ])('is found when it %s', (_what, account, rule) => {
    expect(found(account)).toEqual([rule]);
  });

  test('is found when more was minted than is recorded', () => {
    const supply = '1000000';
    expect(found(shows({ supply: 1_000_000n }), { supply })).toEqual([]);
    expect(found(shows({ supply: 1_000_001n }), { supply })).toEqual([
      'a mint has at most the recorded supply',
    ]);
  });

  test('may say otherwise what its creator kept the right to change', () => {
    const change = shows({ tax: { ...tax, configAuthority: addresses.creator } });
    expect(found(change, { transferFeeAdjustable: true })).toEqual([]);
    const renamed = shows({
      metadata: { ...metadata, name: 'Other', symbol: 'O', uri: 'x', updateAuthority: addresses.creator },
    });
    expect(found(renamed, { immutableMetadata: false })).toEqual([]);
    const strange = shows({ metadata: { ...metadata, mint: STRANGER } });
    expect(found(strange, { immutableMetadata: false })).toEqual(['the metadata belongs to this mint']);
  });
});

describe('a tax that changes', () => {
  const change = {
    tokenId: ids.tokenId,
    transactionId: null,
    basisPoints: token.transferFeeBasisPoints,
    maximum: null,
    slot: null,
  };
  const raised: Fee = { epoch: EPOCH + 2n, basisPoints: 300, maximum: 5_000n };
  const pending = { basisPoints: 300, maximum: '5000', fromEpoch: `${raised.epoch}` };
  const due = { ...pending, fromEpoch: `${EPOCH}` };
  const rights = { transferFeeAdjustable: true };
  const shown = (newer: Fee) => shows({ tax: { ...tax, newer } });

  test('is that of the mint before its epoch has come, and after', () => {
    expect(found(shown(raised), rights, [{ ...change, pending }])).toEqual([]);
    expect(found(shown({ ...raised, epoch: EPOCH }), rights, [{ ...change, pending: due }])).toEqual([]);
  });

  test.each<[string, Fee, typeof pending | null]>([
    ['to another rate', { ...raised, basisPoints: 301 }, pending],
    ['to another maximum', { ...raised, maximum: 5_001n }, pending],
    ['in another epoch', { ...raised, epoch: EPOCH + 3n }, pending],
    ['and nothing of it was recorded', raised, null],
    ['and has changed to another rate', { ...raised, epoch: EPOCH, basisPoints: 301 }, due],
  ])('is found when it does so %s', (_what, newer, recorded) => {
    expect(found(shown(newer), rights, [{ ...change, pending: recorded }])).toEqual([
      'a mint has the recorded tax',
    ]);
  });
});
