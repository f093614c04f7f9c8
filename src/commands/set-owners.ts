/**
 * Sets the owners that a token's creator excludes from its distribution, and the program accounts that are paid. The
 * lists replace the previous ones; equal lists record nothing.
 */
import { type Static, Type } from '@sinclair/typebox';
import { addressBytes, isOnCurve, parseAddress } from 'levy-solana-wire';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { entityTagOf, requireMatch } from '../kernel/runtime/entity-tag.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { millisecondsOf } from '../streams/distribution-interval.ts';
import {
  type DistributionOwnersState,
  distributionOwners,
  MAX_LISTED_OWNERS,
  OwnersListed,
} from '../streams/distribution-owners.ts';
import { rejection } from '../streams/rejections.ts';
import { ownedToken, token } from '../streams/token.ts';
import { OwnersView, ownersView } from '../views/owners-view.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';
import { isReserved } from './distribution-input.ts';

/**
 * Maximum list length in the schema, far above the real limit, so that the error for a slightly longer list names that
 * limit.
 */
const MAX_READ = 500;

const Owners = (description: string) =>
  Type.Array(Type.String({ minLength: 32, maxLength: 44 }), { maxItems: MAX_READ, description });

const OwnersInput = Type.Object(
  {
    excludedOwners: Owners(
      'Wallets that earn nothing from then on. Amounts that they have already earned are still paid.',
    ),
    allowedOwners: Owners(
      'Accounts of programs that are paid, such as vaults. Programs themselves and sysvars are never paid.',
    ),
  },
  {
    additionalProperties: false,
    title: 'DistributionOwnersInput',
    examples: [{ excludedOwners: ['67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj'], allowedOwners: [] }],
  },
);

type OwnersInput = Static<typeof OwnersInput>;

export const setOwners = commandsFor<RuntimeServices>()({
  name: 'SetOwners',
  summary: "Exclude owners from a token's distribution, or allow accounts of programs",
  description:
    `Replaces both lists, which may have ${MAX_LISTED_OWNERS} owners together. The lists take effect one whole interval later, so ` +
    'that no holder is excluded without notice. A pending change is replaced. Send the `ETag` of the last read ' +
    'as `If-Match` if several clients may change the lists.',
  route: { method: 'PUT', url: '/distribution/:tokenId/owners', auth: 'wallet', limit: 'settings' },
  input: { params: Type.Object({ tokenId: TokenReference }), body: OwnersInput },
  output: OwnersView,
  rejections: [
    'TOKEN_NOT_FOUND',
    'NOT_TOKEN_CREATOR',
    'PRECONDITION_FAILED',
    'INVALID_ADDRESS',
    'TOO_MANY_OWNERS',
    'OWNER_LISTED_TWICE',
    'PROGRAM_KEPT_OUT',
    'CONCURRENT_CHANGE',
  ],
  stream: distributionOwners,
  streamId: ({ params }) => tokenIdOf(params.tokenId),
  lockOf: ({ params }) => `owners/${tokenIdOf(params.tokenId)}`,
  async prepare({ params, body }, { services: { executor, clock }, call }) {
    const { state } = await executor.load(token, tokenIdOf(params.tokenId));
    const { settings } = requireCreator(ownedToken(state), call.actor);
    const now = clock.now();
    const from = new Date(now.getTime() + millisecondsOf(settings.distributionInterval));
    return {
      ifMatch: call.ifMatch,
      listedAt: now.toISOString(),
      validFrom: from.toISOString(),
      offCurve: body.excludedOwners.slice(0, MAX_LISTED_OWNERS).filter(isOffCurve),
    };
  },
  decide(state, { params, body }, { ifMatch, listedAt, validFrom, offCurve }) {
    requireMatch(ifMatch, entityTagOf(ownersView(state)));
    requireOwners(body);
    const [program] = offCurve;
    if (program !== undefined) throw excludedProgramRejection(body, program);
    if (isLatest(state, body)) return [];
    const { excludedOwners, allowedOwners } = body;
    return [
      OwnersListed({
        tokenId: tokenIdOf(params.tokenId),
        excludedOwners,
        allowedOwners,
        listedAt,
        validFrom,
      }),
    ];
  },
  respond: ownersView,
  entityTag: (state) => entityTagOf(ownersView(state)),
});

function isOffCurve(address: string): boolean {
  return parseAddress(address) !== undefined && !isOnCurve(addressBytes(address));
}

/** Throws `INVALID_ADDRESS`, `TOO_MANY_OWNERS` or `OWNER_LISTED_TWICE`. */
function requireOwners(body: OwnersInput): void {
  const seen = new Set<string>();
  for (const list of ['excludedOwners', 'allowedOwners'] as const) {
    for (const [index, address] of body[list].entries()) {
      if (parseAddress(address) === undefined) {
        throw rejection('INVALID_ADDRESS', `${list} contains an invalid address.`, {
          details: [{ path: [list, String(index)], message: 'must be 32 bytes in base58' }],
        });
      }
      if (list === 'allowedOwners' && isReserved(address)) {
        throw rejection(
          'INVALID_ADDRESS',
          `${address} cannot be added to the allow-list, because it cannot be paid.`,
          {
            details: [
              { path: [list, String(index)], message: 'must not be a program or a sysvar of the runtime' },
            ],
          },
        );
      }
      if (seen.has(address)) {
        throw rejection('OWNER_LISTED_TWICE', `${address} is listed twice; list each owner once.`, {
          details: [{ path: [list, String(index)], message: 'must not be repeated' }],
        });
      }
      seen.add(address);
    }
  }
  if (seen.size <= MAX_LISTED_OWNERS) return;
  throw rejection(
    'TOO_MANY_OWNERS',
    `${seen.size} owners are listed; both lists together may contain at most ${MAX_LISTED_OWNERS}.`,
  );
}

function excludedProgramRejection({ excludedOwners }: OwnersInput, program: string) {
  return rejection(
    'PROGRAM_KEPT_OUT',
    `${program} is an address of a program, which is paid only if it is in allowedOwners; remove it from excludedOwners.`,
    {
      details: [
        {
          path: ['excludedOwners', String(excludedOwners.indexOf(program))],
          message: 'must be the address of a wallet',
        },
      ],
    },
  );
}

/** Compares the lists without their order. */
function isLatest(state: DistributionOwnersState, { excludedOwners, allowedOwners }: OwnersInput): boolean {
  const latest = state.at(-1) ?? { excludedOwners: [], allowedOwners: [] };
  return isSameSet(latest.excludedOwners, excludedOwners) && isSameSet(latest.allowedOwners, allowedOwners);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return members.size === other.length && other.every((member) => members.has(member));
}
