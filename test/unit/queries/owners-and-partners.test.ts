// Queries about the owners of a distribution, and about partners and the tokens that were made through them.
import { describe, expect, test } from 'vitest';
import { getOwners } from '../../../src/queries/get-owners.ts';
import { getPartnerTotals } from '../../../src/queries/get-partner-totals.ts';
import { listPartnerTokens } from '../../../src/queries/list-partner-tokens.ts';
import { listPartners } from '../../../src/queries/list-partners.ts';
import { RunClosed } from '../../../src/streams/distribution.ts';
import { PARTNERS, PartnerEnded, PartnerKeyRotated, PartnerMade } from '../../../src/streams/partners.ts';
import { TokenCreated, TokenHidden } from '../../../src/streams/token.ts';
import { ownersListed, runClosed } from '../../support/distribution-examples.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { answering, querySpec } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'Impersonates another token.' }));
const params = { tokenId };

describe('the owners of a distribution', () => {
  const { given } = querySpec(getOwners);
  const nobody = { excludedOwners: [], allowedOwners: [] };

  test('are nobody until the creator lists some', async () => {
    await given(created)
      .when({ params })
      .answers({ ...nobody, listedAt: null, validFrom: null, before: nobody });
  });

  test('are the latest lists, beside those before', async () => {
    const later = {
      excludedOwners: [],
      allowedOwners: [addresses.otherNonceAccount],
      listedAt: '2026-05-05T10:30:00.000Z',
      validFrom: '2026-05-05T12:00:00.000Z',
    };
    const { excludedOwners, allowedOwners, listedAt, validFrom } = ownersListed.data;
    const first = happening(tokenId, ownersListed);
    const lists = { excludedOwners, allowedOwners };
    await given(created, first)
      .when({ params })
      .answers({ ...lists, listedAt, validFrom, before: nobody });
    const second = happening(tokenId, { ...ownersListed, data: { ...ownersListed.data, ...later } });
    await given(created, first, second)
      .when({ params })
      .answers({ ...later, before: lists });
  });

  test('of a hidden token are shown to its creator alone', async () => {
    await given(created, hidden).when({ params }).rejects('TOKEN_NOT_FOUND');
    await given(created, hidden)
      .when({ params, actor: tokenCreated.data.creator })
      .answers({ ...nobody, listedAt: null, validFrom: null, before: nobody });
  });

  test('of a token that does not exist are not found', async () => {
    await given().when({ params }).rejects('TOKEN_NOT_FOUND');
  });
});

describe('the list of partners', () => {
  const [first, second] = ['0b9f3b5e-5f0d-5a34-9d5c-6a3c1d2e4f50', '7c9e6679-7425-50de-944b-e07fc1f90ae7'];
  const quotas = [{ policy: 'general', calls: 10_000, windowSeconds: 900 }];
  const made = happening(
    PARTNERS,
    PartnerMade({ partner: 'acme', keyId: first, sha256: 'a1'.repeat(32), quotas }),
  );
  const rotated = happening(
    PARTNERS,
    PartnerKeyRotated({
      partner: 'acme',
      keyId: second,
      sha256: 'b2'.repeat(32),
      formerEndsAt: '2026-05-05T10:00:00.000Z',
    }),
    '2026-05-04T11:00:00.000Z',
  );
  const ended = happening(
    PARTNERS,
    PartnerEnded({ partner: 'acme', reason: 'The contract is over.' }),
    '2026-05-06T10:00:00.000Z',
  );
  const services = {
    partnersOfEnvironment: [
      { name: 'other', sha256: 'c3'.repeat(32), quotas: { submit: { quota: 7, windowSeconds: 60 } } },
    ],
  };
  const ofEnvironment = {
    partner: 'other',
    source: 'environment',
    quotas: [{ policy: 'submit', calls: 7, windowSeconds: 60 }],
    keys: [],
    developerShare: null,
    end: null,
  };

  test('shows the keys of a partner, the newest first, until when each is valid, and no hash', async () => {
    const answer = await (await answering([made, rotated]))(listPartners, { services });
    expect(answer).toMatchObject({
      partners: [
        {
          partner: 'acme',
          source: 'operator',
          quotas,
          keys: [
            { keyId: second, endsAt: null },
            { keyId: first, endsAt: '2026-05-05T10:00:00.000Z' },
          ],
          end: null,
        },
        ofEnvironment,
      ],
    });
    expect(JSON.stringify(answer)).not.toMatch(/a1a1|b2b2|c3c3/);
  });

  test('keeps a partner that has ended, with the reason', async () => {
    const answer = await (await answering([made, ended]))(listPartners, { services });
    expect(answer).toMatchObject({
      partners: [
        { partner: 'acme', end: { reason: 'The contract is over.', at: '2026-05-06T10:00:00.000Z' } },
        { partner: 'other' },
      ],
    });
  });
});

describe("a partner's tokens", () => {
  const through = (partner: string, tokenId: string, mintAddress: string) =>
    happening(
      tokenId,
      TokenCreated({
        ...tokenCreated.data,
        token: { ...tokenCreated.data.token, tokenId, mintAddress, partner },
      }),
    );
  const [one, two, three] = [
    '11111111-1111-5111-8111-111111111111',
    '22222222-2222-5222-8222-222222222222',
    '33333333-3333-5333-8333-333333333333',
  ] as const;
  const history = [
    through('acme', one, addresses.mint),
    through('other', two, addresses.otherCreator),
    through('acme', three, addresses.creator),
  ];
  const idsIn = (answer: unknown) =>
    (answer as { readonly tokens: readonly { readonly id: string }[] }).tokens.map(({ id }) => id);

  test('are those that were made with its key, newest first, page by page', async () => {
    const ask = await answering(history);
    expect(idsIn(await ask(listPartnerTokens, { partner: 'acme' }))).toEqual([three, one]);
    const page = (await ask(listPartnerTokens, { partner: 'acme', query: { limit: 1 } })) as { next: string };
    expect([idsIn(page), page.next]).toEqual([[three], three]);
    const next = await ask(listPartnerTokens, { partner: 'acme', query: { limit: 1, after: page.next } });
    expect([idsIn(next), (next as { next: unknown }).next]).toEqual([[one], null]);
  });

  test('are added up for the partner, without what the tokens of others have paid', async () => {
    const closed = (tokenId: string, partner: string) =>
      happening(tokenId, RunClosed({ ...runClosed.data, tokenId, partner }));
    const ask = await answering([
      ...history,
      closed(one, 'acme'),
      closed(three, 'acme'),
      closed(two, 'other'),
    ]);
    const now = '2026-05-04T11:30:00.000Z';
    const twice = { sol: '155780000' };
    expect(await ask(getPartnerTotals, { partner: 'acme', now })).toEqual({
      tokenCount: 2,
      runCount: 2,
      paymentsToHolders: 2,
      proceeds: '200000000',
      paidToHolders: { lifetime: twice, last24Hours: twice, last7Days: twice },
      paidToDevelopers: '22220000',
      costs: '0',
    });
    expect(await ask(getPartnerTotals, { partner: 'new', now })).toMatchObject({
      tokenCount: 0,
      runCount: 0,
    });
  });

  test('do not go on behind the token of another partner', async () => {
    await querySpec(listPartnerTokens)
      .given(...history)
      .when({ partner: 'acme', query: { after: two } })
      .rejects('VALIDATION_FAILED');
  });

  test('are without those that are hidden', async () => {
    const gone = happening(three, TokenHidden({ tokenId: three, reason: 'A copy.' }));
    expect(
      idsIn(await (await answering([...history, gone]))(listPartnerTokens, { partner: 'acme' })),
    ).toEqual([one]);
  });
});
