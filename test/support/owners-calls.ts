/** For each route that is not for everybody, a call that its owner may make; and what another wallet is told that makes it. */
import type { RejectionCode } from '../../src/streams/rejections.ts';
import type { CallOptions } from './client.ts';
import { type Creator, signIn } from './creator.ts';
import { venueProgramFile } from './launching.ts';
import { recordableCalls, recordableCallsOf } from './recordable-calls.ts';
import type { TestService } from './service.ts';

export interface OwnersCall {
  readonly path: string;
  readonly options?: CallOptions;
  /** What it refuses others with. Undefined where all that is reached is the caller's own, whoever it is. */
  readonly stranger?: RejectionCode | undefined;
  /** The session to make it in, if it must not be the usual one. */
  readonly token?: string;
  /** What the owner is told where the chain has no venue. */
  readonly withoutVenue?: RejectionCode;
}

/** What others are told by the routes that reach objects of a wallet. */
const STRANGER: { readonly [route: string]: RejectionCode } = {
  'POST /tokens/submit': 'NOT_TRANSACTION_OWNER',
  'POST /tokens/:mintAddress/transfer-fee/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /tokens/:mintAddress/transfer-fee/submit': 'NOT_TRANSACTION_OWNER',
  'POST /featured/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /featured/submit': 'NOT_TRANSACTION_OWNER',
  'POST /launchpad/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /launchpad/submit': 'NOT_TRANSACTION_OWNER',
  'PATCH /distribution/:tokenId/settings': 'NOT_TOKEN_CREATOR',
  'PUT /distribution/:tokenId/owners': 'NOT_TOKEN_CREATOR',
};

const OTHERS: { readonly [route: string]: (owner: Creator) => Promise<OwnersCall> } = {
  // Of what the owner has begun with its distribution wallet, nothing may be begun again by others.
  async 'POST /tokens/create-unsigned'(owner) {
    const json = await owner.tokenInput();
    await owner.call('POST', '/tokens/create-unsigned', { json });
    return { path: '/tokens/create-unsigned', options: { json }, stranger: 'WALLET_ALREADY_USED' };
  },
  async 'POST /auth/logout'({ client, keypair }) {
    const { token } = await signIn(client, keypair);
    return { path: '/auth/logout', token };
  },
  async 'GET /tokens/me'() {
    return { path: '/tokens/me' };
  },
  async 'GET /tokens/:mintAddress'(owner) {
    return { path: `/tokens/${(await owner.createToken()).mintAddress}` };
  },
  async 'GET /transactions/:transactionId'(owner) {
    const { transactionId } = await owner.draft();
    return { path: `/transactions/${transactionId}`, stranger: 'NOT_TRANSACTION_OWNER' };
  },
  async 'POST /operator/projections/:name/rebuild'() {
    return { path: '/operator/projections/tokens/rebuild' };
  },
  'GET /distribution/:tokenId/settings': (owner) => ofToken(owner, ''),
  'GET /distribution/:tokenId/settings/history': (owner) => ofToken(owner, '/history'),
};

async function ofToken(owner: Creator, rest: string): Promise<OwnersCall> {
  const { token } = await owner.createToken();
  return { path: `/distribution/${token.id}/settings${rest}`, stranger: 'NOT_TOKEN_CREATOR' };
}

/** Throws for a route of which nobody said yet what its owner would call. `name` is `METHOD url`. */
export async function ownersCall(
  name: string,
  owner: Creator,
  service: Pick<TestService, 'append'>,
): Promise<OwnersCall> {
  const other = OTHERS[name];
  if (other !== undefined) return other(owner);
  if (name === 'POST /launchpad/submit' && venueProgramFile === undefined) return withoutLaunch(owner);
  const [method, url = ''] = name.split(' ');
  if (method === 'GET') {
    if (!url.includes(':')) return { path: url };
    throw new Error(`say in owners-calls.ts what the owner calls at ${name}`);
  }
  const { first } = await recordableCallsOf(name, owner, service);
  // A route that is in neither table is about a token of the caller, or about a draft for one.
  const stranger =
    name in recordableCalls
      ? STRANGER[name]
      : name.endsWith('/submit')
        ? 'NOT_TRANSACTION_OWNER'
        : 'NOT_TOKEN_CREATOR';
  return { ...first, stranger, withoutVenue: 'VENUE_UNAVAILABLE' };
}

/** A draft of another purpose: others must not learn even that. */
async function withoutLaunch(owner: Creator): Promise<OwnersCall> {
  const draft = await owner.draft();
  const json = { transactionId: draft.transactionId, signedTransaction: owner.sign(draft) };
  return {
    path: '/launchpad/submit',
    options: { json },
    stranger: 'NOT_TRANSACTION_OWNER',
    withoutVenue: 'TRANSACTION_NOT_FOUND',
  };
}
