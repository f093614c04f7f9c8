// Keeping owners out of a distribution and listing programs in: what is taken, and what is recorded of it.
import { associatedTokenAddress } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { setOwners } from '../../../src/commands/set-owners.ts';
import {
  type DistributionOwnersEvent,
  distributionOwners,
  MAX_LISTED_OWNERS,
  OwnersListed,
} from '../../../src/streams/distribution-owners.ts';
import { commandSpec, rejectionOf } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';
import { ownerOf } from '../../support/ledger-files.ts';

const { tokenId } = ids;
const { creator, otherCreator, mint } = addresses;
/** Derived: nobody holds its key. */
const VAULT = associatedTokenAddress(creator, mint);
const listedAt = '2026-05-04T10:00:00.000Z';
const validFrom = '2026-05-04T11:00:00.000Z';

const spec = commandSpec(setOwners);
const unlisted = spec.given();
const listed = (excludedOwners: string[], allowedOwners: string[] = [], at = { listedAt, validFrom }) =>
  OwnersListed({ tokenId, excludedOwners, allowedOwners, ...at });

function put(
  excludedOwners: readonly string[],
  allowedOwners: readonly string[] = [],
  more: { readonly ifMatch?: string; readonly offCurve?: string[] } = {},
) {
  return {
    input: {
      params: { tokenId },
      body: { excludedOwners: [...excludedOwners], allowedOwners: [...allowedOwners] },
    },
    facts: { ifMatch: more.ifMatch, listedAt, validFrom, offCurve: more.offCurve ?? [] },
    actor: creator,
  };
}

function tagAfter(...history: readonly DistributionOwnersEvent[]): string {
  return setOwners.entityTag?.(history.reduce(distributionOwners.evolve, distributionOwners.initial)) ?? '';
}

const many = (count: number) => Array.from({ length: count }, (_, number) => ownerOf(number));

describe('a list', () => {
  test('is recorded whole, with the moment from which it counts', () => {
    unlisted.when(put([otherCreator], [VAULT])).records(listed([otherCreator], [VAULT]));
  });

  test('takes the place of the one before, also with nobody on it', () => {
    spec
      .given(listed([otherCreator]))
      .when(put([]))
      .records(listed([]));
  });

  test('that is the same records nothing, in whatever order', () => {
    const [one = '', other = ''] = many(2);
    spec
      .given(listed([one, other], [VAULT]))
      .when(put([other, one], [VAULT]))
      .recordsNothing();
    unlisted.when(put([])).recordsNothing();
  });

  test('is another when somebody is on the other list', () => {
    spec
      .given(listed([otherCreator]))
      .when(put([], [otherCreator]))
      .records(listed([], [otherCreator]));
  });

  test(`may hold ${MAX_LISTED_OWNERS} owners, on both together`, () => {
    const owners = many(MAX_LISTED_OWNERS);
    unlisted
      .when(put(owners.slice(1), owners.slice(0, 1)))
      .records(listed(owners.slice(1), owners.slice(0, 1)));
    const [first = '', ...rest] = many(MAX_LISTED_OWNERS + 1);
    unlisted.when(put([first, ...rest])).rejects('TOO_MANY_OWNERS');
    unlisted.when(put(rest, [first])).rejects('TOO_MANY_OWNERS');
  });

  test('names nobody twice', () => {
    unlisted.when(put([creator, creator])).rejects('OWNER_LISTED_TWICE');
    unlisted.when(put([], [creator, creator])).rejects('OWNER_LISTED_TWICE');
    unlisted.when(put([creator], [creator])).rejects('OWNER_LISTED_TWICE');
  });

  test('keeps no program out', () => {
    unlisted.when(put([creator, VAULT], [], { offCurve: [VAULT] })).rejects('PROGRAM_KEPT_OUT');
  });

  test('holds addresses only, and says which is none', () => {
    const bad = 'O'.repeat(32);
    unlisted.when(put([bad])).rejects('INVALID_ADDRESS');
    const { input, facts } = put([creator], [bad]);
    const whole = { query: {}, ...input };
    const { details } = rejectionOf(() => setOwners.decide([], whole, facts, creator));
    expect(details?.map(({ path }) => path)).toEqual([['allowedOwners', '0']]);
  });

  test.each([
    '11111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
  ])('lists %s of the runtime in no more than any other that cannot be paid', (reserved) => {
    unlisted.when(put([], [reserved])).rejects('INVALID_ADDRESS');
  });

  test('counts an interval of its token later, is set by its creator alone, and is looked through for programs', async () => {
    const { input } = put([creator, VAULT]);
    const prepared = (actor: string) =>
      setOwners.prepare({ query: {}, ...input }, contextAfter([tokenCreated], {}, { actor }));
    expect(await prepared(creator)).toEqual({ listedAt, validFrom, ifMatch: undefined, offCurve: [VAULT] });
    await expect(prepared(otherCreator)).rejects.toMatchObject({ code: 'NOT_TOKEN_CREATOR' });
    const caller = { commandId: ids.transactionId, actor: creator, tokenId: undefined };
    expect(setOwners.streamId({ query: {}, ...input }, caller)).toBe(tokenId);
  });

  test('is not written over one that nobody has seen', () => {
    const before = listed([otherCreator]);
    const seen = tagAfter(before);
    const { input, facts } = put([creator], [], { ifMatch: seen });
    const state = distributionOwners.evolve(distributionOwners.initial, before);
    expect(setOwners.decide(state, { query: {}, ...input }, facts, creator)).toEqual([listed([creator])]);
    spec
      .given(before)
      .when(put([creator], [], { ifMatch: tagAfter() }))
      .rejects('PRECONDITION_FAILED');
    spec
      .given(before, listed([]))
      .when(put([creator], [], { ifMatch: seen }))
      .rejects('PRECONDITION_FAILED');
  });
});
