/** For each route that is not for everybody, a call that its owner may make; and what another wallet is told that makes it. */
import { randomUUID } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { DraftIssued } from '../../src/streams/draft-events.ts';
import type { RejectionCode } from '../../src/streams/rejections.ts';
import type { CallOptions } from './client.ts';
import { type Creator, signIn } from './creator.ts';
import { eventually } from './eventually.ts';
import { generateRuns } from './generated-runs.ts';
import { issuedLaunchDraft, launchSubject } from './launch-examples.ts';
import { venueProgramFile } from './launching.ts';
import { ownerOf } from './ledger-files.ts';
import { recordableCalls, recordableCallsOf } from './recordable-calls.ts';
import { createRunRecorder } from './recorded-runs.ts';
import type { TestService } from './service.ts';
import { nodeAt } from './settling.ts';

export interface OwnersCall {
  readonly path: string;
  readonly options?: CallOptions;
  /** What it refuses others with. Undefined where all that is reached is the caller's own, whoever it is. */
  readonly stranger?: RejectionCode | undefined;
  /** The session to make it in, if it must not be the usual one. */
  readonly token?: string;
  /** What the owner is told, where this deployment cannot do it. */
  readonly ownerIsTold?: RejectionCode;
  /** What the owner is told where the chain has no venue. */
  readonly withoutVenue?: RejectionCode;
}

/** What others are told by the routes that reach objects of a wallet. */
const STRANGER: { readonly [route: string]: RejectionCode } = {
  'POST /tokens/submit': 'NOT_TRANSACTION_OWNER',
  'POST /transactions/:transactionId/cancel': 'NOT_TRANSACTION_OWNER',
  'POST /tokens/:mintAddress/transfer-fee/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /tokens/:mintAddress/transfer-fee/submit': 'NOT_TRANSACTION_OWNER',
  'POST /featured/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /featured/submit': 'NOT_TRANSACTION_OWNER',
  'POST /launchpad/create-unsigned': 'NOT_TOKEN_CREATOR',
  'POST /launchpad/submit': 'NOT_TRANSACTION_OWNER',
  'PATCH /distribution/:tokenId/settings': 'NOT_TOKEN_CREATOR',
  'PUT /distribution/:tokenId/owners': 'NOT_TOKEN_CREATOR',
};

type ServiceParts = Pick<TestService, 'append' | 'folder' | 'chainUrl'>;

const OTHERS: {
  readonly [route: string]: (owner: Creator, service: ServiceParts) => Promise<OwnersCall>;
} = {
  // For a distribution wallet that a token has, no draft is made, not even for its owner.
  async 'POST /tokens/create-unsigned'(owner) {
    const json = await owner.tokenInput();
    await owner.createToken(json);
    const used = 'WALLET_ALREADY_USED';
    return { path: '/tokens/create-unsigned', options: { json }, stranger: used, ownerIsTold: used };
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
  'GET /launchpad/:mintAddress/status': issuedLaunch,
  async 'GET /events'() {
    return { path: '/events' };
  },
  async 'POST /operator/projections/:name/rebuild'() {
    return { path: '/operator/projections/tokens/rebuild' };
  },
  'GET /distribution/:tokenId/settings': (owner) => ofToken(owner, 'settings'),
  'GET /distribution/:tokenId/settings/history': (owner) => ofToken(owner, 'settings/history'),
  'GET /distribution/:tokenId/preview': previewed,
  'GET /distribution/:tokenId/holders/:wallet': (owner) => publicOf(owner, `holders/${owner.address}`),
  'GET /distribution/:tokenId/owners': (owner) => publicOf(owner, 'owners'),
  'GET /distribution/:tokenId/runs': (owner) => publicOf(owner, 'runs'),
  'GET /distribution/:tokenId/runs/:runId': (owner, service) => ofRun(owner, service, ''),
  'GET /distribution/:tokenId/runs/:runId/batches': (owner, service) => ofRun(owner, service, '/batches'),
  'GET /distribution/:tokenId/runs/:runId/payments': (owner, service) => ofRun(owner, service, '/payments'),
  'GET /distribution/:tokenId/runs/:runId/payments/:wallet': (owner, service) =>
    ofRun(owner, service, `/payments/${ownerOf(0)}`),
  'GET /distribution/:tokenId/runs/:runId/payments/:wallet/proof': provedPayment,
  'GET /distribution/:tokenId/series': (owner) => publicOf(owner, 'series?by=run'),
  'GET /distribution/:tokenId/tax': (owner) => publicOf(owner, 'tax'),
  async 'GET /wallets/:wallet/shares'({ address }) {
    return { path: `/wallets/${address}/shares` };
  },
  async 'GET /operator/streams/:stream/state'() {
    return { path: '/operator/streams/service-levy/state' };
  },
  async 'POST /operator/backups'() {
    return { path: '/operator/backups' };
  },
};

/** Of a draft as the service would have issued it where the venue is on the chain. */
async function issuedLaunch(owner: Creator, service: ServiceParts): Promise<OwnersCall> {
  const { mintAddress, token } = await owner.createToken();
  const transactionId = randomUUID();
  const subject = { ...launchSubject, mintAddress, tokenId: token.id };
  const issued = DraftIssued({ ...issuedLaunchDraft, transactionId, creator: owner.address, subject });
  const position = await createRunRecorder(service).record(transactionId, issued);
  return {
    path: `/launchpad/${mintAddress}/status`,
    options: { headers: { 'x-after-position': position } },
  };
}

/** When the transparency log has it. */
async function provedPayment(owner: Creator, service: ServiceParts): Promise<OwnersCall> {
  const call = await ofRun(owner, service, `/payments/${ownerOf(0)}/proof`);
  await eventually('the run is in the transparency log', async () => {
    const { status } = await owner.client.call('GET', call.path, call.options);
    return status === 200;
  });
  return call;
}

async function ofToken(owner: Creator, rest: string): Promise<OwnersCall> {
  const { token } = await owner.createToken();
  return { path: `/distribution/${token.id}/${rest}`, stranger: 'NOT_TOKEN_CREATOR' };
}

/** Of a token whose creation is final: before that, its holders cannot be read. */
async function previewed(owner: Creator, { chainUrl }: ServiceParts): Promise<OwnersCall> {
  const { token } = await owner.createToken();
  const mint = new PublicKey(token.mintAddress);
  await eventually('the creation is final', async () => {
    const account = await nodeAt(chainUrl).getAccountInfo(mint, 'finalized');
    return account !== null;
  });
  return { path: `/distribution/${token.id}/preview`, stranger: 'NOT_TOKEN_CREATOR' };
}

async function publicOf(owner: Creator, rest: string): Promise<OwnersCall> {
  return { path: `/distribution/${(await owner.createToken()).token.id}/${rest}` };
}

/** A run in which the developer gets something, as its engine would have left it. */
async function ofRun(owner: Creator, service: ServiceParts, rest: string): Promise<OwnersCall> {
  const { token } = await owner.createToken();
  const [run] = generateRuns(
    1,
    { tokenId: token.id, mint: token.mintAddress },
    { owners: 3, assets: ['sol'] },
  );
  if (run === undefined) throw new Error('a run was made');
  const position = await createRunRecorder(service).recordRun(token.id, run);
  return {
    path: `/distribution/${token.id}/runs/${run.runId}${rest}`,
    options: { headers: { 'x-after-position': position } },
  };
}

/** Throws for a route of which nobody said yet what its owner would call. `name` is `METHOD url`. */
export async function ownersCall(name: string, owner: Creator, service: ServiceParts): Promise<OwnersCall> {
  const other = OTHERS[name];
  if (other !== undefined) return other(owner, service);
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
