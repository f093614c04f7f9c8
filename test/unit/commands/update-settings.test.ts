// Changing a token's distribution settings: who may, what is taken, and what is recorded of it.
import { Value } from '@sinclair/typebox/value';
import { NATIVE_MINT, NATIVE_MINT_2022, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { SettingsInput } from '../../../src/commands/settings-input.ts';
import { updateSettings } from '../../../src/commands/update-settings.ts';
import type { DistributionSettings } from '../../../src/streams/distribution-settings.ts';
import {
  DistributionSettingsUpdated,
  TokenCreated,
  TokenCreationReverted,
  type TokenEvent,
  token,
} from '../../../src/streams/token.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { commandSpec, rejectionOf } from '../../support/command-spec.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';

const { tokenId, transactionId } = ids;
const { creator, otherCreator } = addresses;
/** Derived by a program: 32 bytes that are no point of the curve. */
const VAULT = 'FCvhetuRQXVjFaFtLY8kAYFYRHpCLMsBabJ8GLrBX8iT';
const U64_MAX = '18446744073709551615';

const spec = commandSpec(updateSettings);
const created = spec.given(tokenCreated);

function patch(body: SettingsInput, { actor = creator, ifMatch }: { actor?: string; ifMatch?: string } = {}) {
  return {
    input: { params: { tokenId }, body },
    facts: { ifMatch, unpayable: new Map<string, string>() },
    actor,
  };
}

const updated = (from: Partial<DistributionSettings>, to: Partial<DistributionSettings>) =>
  DistributionSettingsUpdated({ tokenId, from, to });

function tagAfter(...history: readonly TokenEvent[]): string {
  const state = history.reduce(token.evolve, token.initial);
  return updateSettings.entityTag?.(state) ?? '';
}

/** Of the token as it was created; every route may refuse what is not valid, so no command declares it. */
function invalidFields(body: SettingsInput, ifMatch?: string): readonly string[] {
  const state = token.evolve(token.initial, tokenCreated);
  const input = { params: { tokenId }, query: {}, body };
  const { code, details = [] } = rejectionOf(() =>
    updateSettings.decide(state, input, { ifMatch, unpayable: new Map() }, creator),
  );
  expect(code).toBe('VALIDATION_FAILED');
  return details.map(({ path }) => path.join('.'));
}

const fits = (body: unknown) => Value.Check(SettingsInput, body);

describe('who may change them', () => {
  test('is nobody else, whatever they send', () => {
    for (const actor of [otherCreator, 'anonymous', 'operator:alice']) {
      const spoiled = { developerWallet: 'O'.repeat(32), burnPercent: 99.999 };
      for (const body of [{ burnPercent: 1 }, { burnPercent: 10.5 }, spoiled]) {
        created.when(patch(body, { actor })).rejects('NOT_TOKEN_CREATOR');
      }
    }
  });

  test('is nobody while there is no token', () => {
    spec
      .given()
      .when(patch({ burnPercent: 1 }))
      .rejects('TOKEN_NOT_FOUND');
    const reverted = TokenCreationReverted({ tokenId, transactionId });
    spec
      .given(tokenCreated, reverted)
      .when(patch({ burnPercent: 1 }))
      .rejects('TOKEN_NOT_FOUND');
  });
});

describe('the token', () => {
  test('is named by its id or its mint address', () => {
    const caller = { commandId: '', actor: creator, tokenId: undefined };
    const streamOf = (reference: string) =>
      updateSettings.streamId({ body: {}, query: {}, params: { tokenId: reference } }, caller);
    expect([tokenIdOf(addresses.mint), addresses.mint].map(streamOf)).toEqual(
      Array(2).fill(tokenIdOf(addresses.mint)),
    );
  });
});

describe('what is recorded', () => {
  test('is both sides of what changed, and nothing of what is so already', () => {
    created
      .when(
        patch({ burnPercent: 10.5, developerFeePercent: 20, rewardToken: 'SOL', telegramGroupId: '@levy' }),
      )
      .records(
        updated(
          { developerFeeBasisPoints: 7, telegramGroupId: null },
          { developerFeeBasisPoints: 2_000, telegramGroupId: '@levy' },
        ),
      );
  });

  test('is nothing where everything is so already', () => {
    const same: SettingsInput = {
      rewardToken: 'SOL',
      distributionModel: 'proportional',
      minimumHoldingRequirement: '0',
      percentageToSellPerDistribution: 100,
      distributionEnabled: true,
      distributionInterval: '1h',
      burnPercent: 10.5,
      developerFeePercent: 0.07,
      developerWallet: creator,
      telegramGroupId: null,
    };
    created.when(patch(same)).recordsNothing();
    for (const [field, value] of Object.entries(same)) {
      created.when(patch({ [field]: value })).recordsNothing();
    }
  });

  test.each<[SettingsInput, from: Partial<DistributionSettings>, to?: Partial<DistributionSettings>]>([
    [{ rewardToken: addresses.mint }, { rewardToken: 'SOL' }],
    [{ distributionModel: 'square-root' }, { distributionModel: 'proportional' }],
    [{ minimumHoldingRequirement: U64_MAX }, { minimumHoldingRequirement: '0' }],
    [{ percentageToSellPerDistribution: 0 }, { sellBasisPoints: 10_000 }, { sellBasisPoints: 0 }],
    [{ distributionEnabled: false }, { distributionEnabled: true }],
    [{ burnPercent: 0 }, { burnBasisPoints: 1_050 }, { burnBasisPoints: 0 }],
    [{ developerFeePercent: 0.29 }, { developerFeeBasisPoints: 7 }, { developerFeeBasisPoints: 29 }],
    [{ developerWallet: VAULT }, { developerWallet: creator }],
    [{ developerWallet: '1nc1nerator11111111111111111111111111111111' }, { developerWallet: creator }],
    [{ distributionInterval: '6h' }, { distributionInterval: '1h' }],
    ...['-1001234567890', '@levy_holders', 'levy-holders', '7', `@${'x'.repeat(64)}`].map(
      (telegramGroupId): [SettingsInput, Partial<DistributionSettings>] => [
        { telegramGroupId },
        { telegramGroupId: null },
      ],
    ),
  ])('takes %j', (body, from, to = body as Partial<DistributionSettings>) => {
    created.when(patch(body)).records(updated(from, to));
  });

  test.each([null, ''])('takes a group away by %o', (telegramGroupId) => {
    spec
      .given(tokenCreated, updated({ telegramGroupId: null }, { telegramGroupId: '@levy' }))
      .when(patch({ telegramGroupId }))
      .records(updated({ telegramGroupId: '@levy' }, { telegramGroupId: null }));
  });
});

describe('the schema', () => {
  test('refuses an empty body and fields that it does not know', () => {
    for (const body of [
      {},
      { burnPercentage: 1 },
      { burnPercent: 1, transferFeePercent: 1 },
      { supply: '1' },
    ]) {
      expect([body, fits(body)]).toEqual([body, false]);
    }
  });

  test.each([
    ['rewardToken', ['', 'x'.repeat(45), null, 7]],
    ['distributionModel', ['', 'square', 'Proportional', 'squareRoot', null, 1]],
    ['minimumHoldingRequirement', ['', '-1', '1.5', '1e3', '0x1', ' 1', '١', '1'.repeat(21), 1, null]],
    ['percentageToSellPerDistribution', [-0.01, 100.01, '1', null, Number.NaN]],
    ['distributionEnabled', ['true', 1, 0, null]],
    ['distributionInterval', ['', '2h', '1H', '60m', 3_600, null]],
    ['burnPercent', [-1, 101, '1', null, Number.POSITIVE_INFINITY]],
    ['developerFeePercent', [-1, 101, '1', null]],
    ['developerWallet', ['', 'x'.repeat(31), 'x'.repeat(45), null]],
    [
      'telegramGroupId',
      ['@', '@@levy', 'a b', ' 7', '7\n', 'é', '<b>', 'x'.repeat(65), -1001234567890, true],
    ],
    ['telegramGroupId', ['https://t.me/levy']],
  ] as const)('refuses %s that cannot be meant', (field, values) => {
    for (const value of values) expect([value, fits({ [field]: value })]).toEqual([value, false]);
  });
});

describe('the rules', () => {
  test('refuse more than two decimals and what is beyond a u64, all of them at once', () => {
    const body = {
      burnPercent: 1.001,
      developerFeePercent: 0.1 + 0.2,
      percentageToSellPerDistribution: 1e-7,
      minimumHoldingRequirement: '18446744073709551616',
    };
    expect([...invalidFields(body)].sort()).toEqual(Object.keys(body).sort());
  });

  test('refuse an address of other than 32 bytes', () => {
    const address = 'z'.repeat(44);
    created.when(patch({ developerWallet: address })).rejects('INVALID_ADDRESS');
    created.when(patch({ rewardToken: address })).rejects('INVALID_ADDRESS');
  });

  test.each(['SELF', addresses.mint, NATIVE_MINT])('take as reward %s', (rewardToken) => {
    created.when(patch({ rewardToken })).records(updated({ rewardToken: 'SOL' }, { rewardToken }));
  });

  test.each([
    addresses.otherCreator,
    NATIVE_MINT_2022,
  ])('refuse a reward in another token: %s', (rewardToken) => {
    created.when(patch({ rewardToken })).rejects('REWARD_TOKEN_UNSUPPORTED');
  });

  test('leave a token its reward in another one that was recorded before, and let it go', () => {
    const other = { rewardToken: addresses.otherCreator };
    const given = spec.given(tokenCreated, updated({ rewardToken: 'SOL' }, other));
    given.when(patch(other)).recordsNothing();
    given
      .when(patch({ ...other, burnPercent: 1 }))
      .records(updated({ burnBasisPoints: 1_050 }, { burnBasisPoints: 100 }));
    given.when(patch({ rewardToken: 'SELF' })).records(updated(other, { rewardToken: 'SELF' }));
    given.when(patch({ rewardToken: NATIVE_MINT_2022 })).rejects('REWARD_TOKEN_UNSUPPORTED');
  });

  test('hold the two shares to 100 together, on the result', () => {
    const given = spec.given(tokenCreated, updated({ burnBasisPoints: 1_050 }, { burnBasisPoints: 6_000 }));
    given.when(patch({ developerFeePercent: 40.01 })).rejects('SPLIT_EXCEEDS_100');
    given.when(patch({ burnPercent: 99.94 })).rejects('SPLIT_EXCEEDS_100');
    given.when(patch({ burnPercent: 50, developerFeePercent: 50.01 })).rejects('SPLIT_EXCEEDS_100');
    given
      .when(patch({ burnPercent: 99.93 }))
      .records(updated({ burnBasisPoints: 6_000 }, { burnBasisPoints: 9_993 }));
    given
      .when(patch({ developerFeePercent: 40 }))
      .records(updated({ developerFeeBasisPoints: 7 }, { developerFeeBasisPoints: 4_000 }));
    given
      .when(patch({ burnPercent: 0, developerFeePercent: 100 }))
      .records(
        updated(
          { burnBasisPoints: 6_000, developerFeeBasisPoints: 7 },
          { burnBasisPoints: 0, developerFeeBasisPoints: 10_000 },
        ),
      );
  });
});

describe("the wallets of the developer's part", () => {
  const half = { wallet: otherCreator, basisPoints: 5_000 };
  const vault = { wallet: VAULT, basisPoints: 2_500 };
  const share = { partner: 'acme', wallet: addresses.mint, basisPoints: 2_501 };
  const partnered = TokenCreated({
    ...tokenCreated.data,
    token: { ...tokenCreated.data.token, partnerShare: share },
  });

  /** Code and paths of the refusal. */
  function places(
    developerWallets: SettingsInput['developerWallets'],
    { event = tokenCreated, unpayable = new Map<string, string>() } = {},
  ) {
    const state = token.evolve(token.initial, event);
    const input = { params: { tokenId }, query: {}, body: { developerWallets } };
    const facts = { ifMatch: undefined, unpayable };
    const { code, details = [] } = rejectionOf(() => updateSettings.decide(state, input, facts, creator));
    return [code, details.map(({ path }) => path.join('.'))];
  }

  test('are recorded as a list, whose change has the whole list on both sides, and whose end is an empty one', () => {
    created
      .when(patch({ developerWallets: [half, vault] }))
      .records(updated({ developerWallets: [] }, { developerWallets: [half, vault] }));
    created.when(patch({ developerWallets: [] })).recordsNothing();
    const given = spec.given(tokenCreated, updated({ developerWallets: [] }, { developerWallets: [half] }));
    given.when(patch({ developerWallets: [{ ...half }] })).recordsNothing();
    given
      .when(patch({ developerWallets: [] }))
      .records(updated({ developerWallets: [half] }, { developerWallets: [] }));
  });

  test("share what the partner's share leaves, which no change of the settings touches", () => {
    const lists = [
      [half, vault],
      [half, { ...vault, basisPoints: 5_000 }],
    ];
    for (const developerWallets of lists)
      created
        .when(patch({ developerWallets }))
        .records(updated({ developerWallets: [] }, { developerWallets }));
    const within = [half, { ...vault, basisPoints: 2_499 }];
    spec
      .given(partnered)
      .when(patch({ developerWallets: within }))
      .records(updated({ developerWallets: [] }, { developerWallets: within }));
    expect(places([half, vault], { event: partnered })).toEqual(['VALIDATION_FAILED', ['developerWallets']]);
    expect(fits({ partnerShare: share })).toBe(false);
  });

  test('are refused with their place in the list', () => {
    const [ofList, ofSecond] = [['developerWallets'], ['developerWallets.1.wallet']];
    expect(places([half, { ...half, basisPoints: 1 }])).toEqual(['VALIDATION_FAILED', ofList]);
    expect(places([half, { ...vault, basisPoints: 5_001 }])).toEqual(['VALIDATION_FAILED', ofList]);
    expect(places([half, { ...vault, wallet: 'O'.repeat(32) }])).toEqual(['INVALID_ADDRESS', ofSecond]);
    expect(places([half, { ...vault, wallet: SYSTEM_PROGRAM }])).toEqual(['INVALID_ADDRESS', ofSecond]);
    expect(places([half, { ...vault, wallet: tokenCreated.data.token.mintAddress }])).toEqual([
      'INVALID_ADDRESS',
      ofSecond,
    ]);
    expect(places([half, vault], { unpayable: new Map([[VAULT, 'must be a wallet']]) })).toEqual([
      'INVALID_ADDRESS',
      ofSecond,
    ]);
  });

  test('are at most ten, each with a positive share', () => {
    const list = (count: number, basisPoints = 1) => ({
      developerWallets: Array.from({ length: count }, () => ({ wallet: creator, basisPoints })),
    });
    expect([
      fits(list(10)),
      fits(list(11)),
      fits(list(1, 0)),
      fits(list(1, 10_001)),
      fits(list(1, 0.5)),
    ]).toEqual([true, false, false, false, false]);
  });
});

describe('If-Match', () => {
  const change = updated({ burnBasisPoints: 1_050 }, { burnBasisPoints: 100 });

  test('lets the change through that was decided on what the caller saw', () => {
    const state = token.evolve(token.initial, tokenCreated);
    const input = { params: { tokenId }, query: {}, body: { burnPercent: 1 } };
    const decide = (ifMatch: string) =>
      updateSettings.decide(state, input, { ifMatch, unpayable: new Map() }, creator);
    const seen = tagAfter(tokenCreated);
    for (const ifMatch of [seen, `"other", ${seen}`, '*']) expect(decide(ifMatch)).toEqual([change]);
  });

  test('refuses any other, also where nothing would change', () => {
    const { when } = spec.given(tokenCreated, change);
    for (const ifMatch of [tagAfter(tokenCreated), '"other"', `W/${tagAfter(tokenCreated)}`]) {
      when(patch({ burnPercent: 2 }, { ifMatch })).rejects('PRECONDITION_FAILED');
      when(patch({ burnPercent: 1 }, { ifMatch })).rejects('PRECONDITION_FAILED');
    }
  });

  test('is told as malformed rather than as outdated', () => {
    expect(invalidFields({ burnPercent: 1 }, 'unquoted')).toEqual([]);
  });

  test('tells a stranger nothing, and finds no token that is not there', () => {
    for (const ifMatch of [tagAfter(tokenCreated), '"other"', 'unquoted', '*']) {
      created.when(patch({ burnPercent: 1 }, { actor: otherCreator, ifMatch })).rejects('NOT_TOKEN_CREATOR');
      spec
        .given()
        .when(patch({ burnPercent: 1 }, { ifMatch }))
        .rejects('TOKEN_NOT_FOUND');
    }
  });
});
