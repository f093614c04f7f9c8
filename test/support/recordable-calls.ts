/** Of each route that records something, two calls that it would record: for what must hold of all of them. */
import { randomUUID } from 'node:crypto';
import { Connection, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { commands } from '../../src/commands/index.ts';
import { exampleOf } from '../../src/reference/openapi/example-of.ts';
import { DraftIssued, SubmissionAccepted } from '../../src/streams/draft-events.ts';
import type { CallOptions } from './client.ts';
import { type Creator, imageForm, picture, signedBy } from './creator.ts';
import { acceptedSubmission, addresses, issuedDraft } from './domain-examples.ts';
import { eventually } from './eventually.ts';
import { issueLaunch, LAUNCH_PARAMETERS } from './launching.ts';
import { OPERATOR_KEY } from './operator.ts';
import { createRunRecorder } from './recorded-runs.ts';
import type { TestService } from './service.ts';
import { haltWithWrongBooks } from './wrong-books.ts';

/** Two calls of one route, each of which would be recorded. */
export interface RecordableCalls {
  readonly first: PreparedCall;
  readonly other: PreparedCall;
}

export interface PreparedCall {
  readonly path: string;
  readonly options: CallOptions;
}

type Recording = Pick<TestService, 'append' | 'folder' | 'chainUrl'>;

interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
}

const onOne = (path: string, ...bodies: readonly [object, object]): RecordableCalls => ({
  first: { path, options: { json: bodies[0] } },
  other: { path, options: { json: bodies[1] } },
});

const adjustable = { transferFeeAdjustable: true };

async function issue(creator: Creator, path: string, json: object): Promise<IssuedDraft> {
  return (await creator.call<IssuedDraft>('POST', path, { json })).body;
}

/** Two submissions: what tells them apart is the draft. */
async function submissions(
  creator: Creator,
  path: string,
  make: () => Promise<IssuedDraft>,
): Promise<RecordableCalls> {
  const bodyOf = ({ transactionId, transaction }: IssuedDraft) => ({
    transactionId,
    signedTransaction: signedBy(creator.keypair, transaction),
  });
  return onOne(path, bodyOf(await make()), bodyOf(await make()));
}

/** By `METHOD url`, where the example of the API's description is not enough. The calls are of the creator, or of an operator. */
export const recordableCalls: {
  readonly [route: string]: (creator: Creator, service: Recording) => Promise<RecordableCalls>;
} = {
  async 'POST /tokens/create-unsigned'(creator) {
    return onOne('/tokens/create-unsigned', await creator.tokenInput(), await creator.tokenInput());
  },
  async 'POST /tokens/upload-image'() {
    const path = '/tokens/upload-image';
    return {
      first: { path, options: { body: imageForm(picture()) } },
      other: { path, options: { body: imageForm(picture()) } },
    };
  },
  'POST /tokens/submit': (creator) => submissions(creator, '/tokens/submit', () => creator.draft()),
  async 'POST /transactions/:transactionId/cancel'(creator) {
    const callOf = async (): Promise<PreparedCall> => ({
      path: `/transactions/${(await creator.draft()).transactionId}/cancel`,
      options: {},
    });
    return { first: await callOf(), other: await callOf() };
  },
  async 'POST /tokens/:mintAddress/transfer-fee/create-unsigned'(creator) {
    const { mintAddress } = await creator.createToken(adjustable);
    const path = `/tokens/${mintAddress}/transfer-fee/create-unsigned`;
    return onOne(path, { transferFeePercent: 1 }, { transferFeePercent: 2 });
  },
  async 'POST /tokens/:mintAddress/transfer-fee/submit'(creator) {
    const { mintAddress } = await creator.createToken(adjustable);
    const path = `/tokens/${mintAddress}/transfer-fee`;
    let percent = 0;
    return submissions(creator, `${path}/submit`, () => {
      percent += 1;
      return issue(creator, `${path}/create-unsigned`, { transferFeePercent: percent });
    });
  },
  async 'POST /featured/create-unsigned'(creator) {
    const { mintAddress: tokenMint } = await creator.createToken();
    return onOne('/featured/create-unsigned', { tokenMint, days: 1 }, { tokenMint, days: 2 });
  },
  async 'POST /featured/submit'(creator) {
    const { mintAddress: tokenMint } = await creator.createToken();
    return submissions(creator, '/featured/submit', () =>
      issue(creator, '/featured/create-unsigned', { tokenMint, days: 1 }),
    );
  },
  async 'POST /launchpad/create-unsigned'(creator) {
    const [one, other] = [await creator.createToken(), await creator.createToken()];
    return onOne(
      '/launchpad/create-unsigned',
      { tokenMint: one.mintAddress, ...LAUNCH_PARAMETERS },
      { tokenMint: other.mintAddress, ...LAUNCH_PARAMETERS },
    );
  },
  'POST /launchpad/submit': (creator) =>
    submissions(creator, '/launchpad/submit', async () =>
      issueLaunch(creator, (await creator.createToken()).mintAddress),
    ),
  async 'PATCH /distribution/:tokenId/settings'(creator) {
    const { token } = await creator.createToken();
    return onOne(`/distribution/${token.id}/settings`, { burnPercent: 5 }, { burnPercent: 6 });
  },
  async 'PUT /distribution/:tokenId/owners'(creator) {
    const { token } = await creator.createToken();
    const path = `/distribution/${token.id}/owners`;
    return onOne(
      path,
      { keptOut: [creator.address], listedIn: [] },
      { keptOut: [], listedIn: [token.mintAddress] },
    );
  },
  async 'POST /operator/tokens/:mintAddress/hide'(creator) {
    const { mintAddress } = await creator.createToken();
    return onOne(`/operator/tokens/${mintAddress}/hide`, { reason: 'One.' }, { reason: 'Another.' });
  },
  async 'POST /operator/tokens/:mintAddress/show'(creator) {
    const [one, other] = [await creator.createToken(), await creator.createToken()];
    for (const { mintAddress } of [one, other])
      await asOperator(creator, `/operator/tokens/${mintAddress}/hide`);
    const json = { reason: 'A mistake.' };
    return {
      first: { path: `/operator/tokens/${one.mintAddress}/show`, options: { json } },
      other: { path: `/operator/tokens/${other.mintAddress}/show`, options: { json } },
    };
  },
  async 'POST /operator/distributions/:tokenId/resume'(creator) {
    const paths = [];
    for (const { token } of [await creator.createToken(), await creator.createToken()]) {
      const path = `/operator/distributions/${token.id}`;
      await asOperator(creator, `${path}/halt`);
      paths.push(`${path}/resume`);
    }
    const options = { json: { reason: 'It was looked into.' } };
    const [one = '', other = ''] = paths;
    return { first: { path: one, options }, other: { path: other, options } };
  },
  async 'POST /operator/distributions/:tokenId/correct'(creator, service) {
    const callOf = async (): Promise<PreparedCall> => ({
      path: `/operator/distributions/${await haltWithWrongBooks(creator, service)}/correct`,
      options: { json: { tokenAmount: '0', lamports: '0', reason: 'The node was wrong.' } },
    });
    return { first: await callOf(), other: await callOf() };
  },
  async 'POST /operator/distributions/halt'(creator) {
    await asOperator(creator, '/operator/distributions/resume');
    return onOne('/operator/distributions/halt', { reason: 'One.' }, { reason: 'Another.' });
  },
  async 'POST /operator/distributions/resume'(creator) {
    await asOperator(creator, '/operator/distributions/halt');
    return onOne('/operator/distributions/resume', { reason: 'One.' }, { reason: 'Another.' });
  },
  async 'POST /operator/distributions/:tokenId/run'(creator) {
    await asOperator(creator, '/operator/distributions/resume');
    const [one, other] = [await creator.createToken(), await creator.createToken()];
    const options = { json: { reason: 'The creator asked for it.' } };
    return {
      first: { path: `/operator/distributions/${one.token.id}/run`, options },
      other: { path: `/operator/distributions/${other.token.id}/run`, options },
    };
  },
  async 'POST /operator/events/:eventId/quarantine'(_creator, service) {
    const [one, other] = [await writeUndecodable(service), await writeUndecodable(service)];
    const callOf = ({ eventId, stream }: typeof one): PreparedCall => ({
      path: `/operator/events/${eventId}/quarantine`,
      options: { json: { reason: 'It is nonsense.', stream, revision: 0 } },
    });
    return { first: callOf(one), other: callOf(other) };
  },
  async 'POST /operator/submissions/:transactionId/conclude'(creator, service) {
    const callOf = async (): Promise<PreparedCall> => ({
      path: `/operator/submissions/${await submitUnknown(creator, service)}/conclude`,
      options: { json: { outcome: 'not-landed', reason: 'Two other nodes do not know it.' } },
    });
    return { first: await callOf(), other: await callOf() };
  },
  async 'POST /operator/partners'() {
    return onOne('/operator/partners', { partner: randomName() }, { partner: randomName() });
  },
  async 'POST /operator/partners/:partner/rotate'(creator) {
    const path = `/operator/partners/${await makePartner(creator)}/rotate`;
    return onOne(path, { overlapSeconds: 60 }, { overlapSeconds: 0 });
  },
  async 'POST /operator/partners/:partner/end'(creator) {
    const json = { reason: 'The contract is over.' };
    return {
      first: { path: `/operator/partners/${await makePartner(creator)}/end`, options: { json } },
      other: { path: `/operator/partners/${await makePartner(creator)}/end`, options: { json } },
    };
  },
  async 'POST /operator/promotions/:promotionId/end'(creator) {
    const [one, other] = [await promote(creator), await promote(creator)];
    const json = { reason: 'Not welcome.' };
    return {
      first: { path: `/operator/promotions/${one}/end`, options: { json } },
      other: { path: `/operator/promotions/${other}/end`, options: { json } },
    };
  },
};

/** Those of the table, or for a route about one token: the example of its description, on two tokens. */
export async function recordableCallsOf(
  name: string,
  creator: Creator,
  service: Recording,
): Promise<RecordableCalls> {
  const known = recordableCalls[name];
  if (known !== undefined) return known(creator, service);
  const submitted = name.endsWith('/submit') ? name.replace(/submit$/, 'create-unsigned') : undefined;
  if (submitted !== undefined) {
    const { first, other } = await exampleCalls(submitted, creator);
    return { first: await submission(creator, first), other: await submission(creator, other) };
  }
  return exampleCalls(name, creator);
}

/** Of the draft that this call issues: its signed transaction, to the route beside it. */
async function submission(creator: Creator, { path, options }: PreparedCall): Promise<PreparedCall> {
  const { body } = await creator.call<IssuedDraft>('POST', path, options);
  const { transactionId, transaction } = body;
  return {
    path: path.replace(/create-unsigned$/, 'submit'),
    options: { json: { transactionId, signedTransaction: signedBy(creator.keypair, transaction) } },
  };
}

async function exampleCalls(name: string, creator: Creator): Promise<RecordableCalls> {
  const command = commands.find(({ route }) => `${route.method} ${route.url}` === name);
  const body = command?.input.body && exampleOf(command.input.body);
  if (command === undefined || (body?.missing.length ?? 0) > 0) throw noCalls(name);
  const onToken = async (): Promise<PreparedCall> => {
    const { mintAddress, token } = await creator.createToken();
    const path = command.route.url.replace(':mintAddress', mintAddress).replace(':tokenId', token.id);
    if (path === command.route.url || path.includes(':')) throw noCalls(name);
    return { path, options: body === undefined ? {} : { json: body.value } };
  };
  return { first: await onToken(), other: await onToken() };
}

/** A submission whose nonce value is spent, nobody knows by what. Gives its id. */
async function submitUnknown(creator: Creator, service: Recording): Promise<string> {
  const { transaction } = await creator.draft();
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const [advance] = message.compiledInstructions;
  const nonceAccount = message.staticAccountKeys[advance?.accountKeyIndexes[0] ?? 0]?.toBase58() ?? '';
  // Its outcome is looked up in final state.
  await eventually('the nonce account is final', async () => {
    const account = await new Connection(service.chainUrl).getAccountInfo(
      new PublicKey(nonceAccount),
      'finalized',
    );
    return account !== null;
  });
  const transactionId = randomUUID();
  const { nonceValue } = addresses;
  const lifetime = { kind: 'durable-nonce', nonceAccount, nonceValue } as const;
  const { record } = createRunRecorder(service);
  await record(
    transactionId,
    DraftIssued({ ...issuedDraft, transactionId, creator: creator.address, lifetime }),
  );
  await record(transactionId, SubmissionAccepted({ ...acceptedSubmission, transactionId }));
  return transactionId;
}

/** An event of a stream that no release knows. */
async function writeUndecodable(service: Recording) {
  const [eventId, stream] = [randomUUID(), `painting-${randomUUID()}`];
  await service.append(stream, 'none', [{ id: eventId, type: 'Painted', data: {}, metadata: {} }]);
  return { eventId, stream };
}

function noCalls(name: string): Error {
  return new Error(`say in recordable-calls.ts what is called at ${name}, or give its schemas examples`);
}

async function asOperator({ client }: Creator, path: string): Promise<void> {
  await client.ask('POST', path, { operatorKey: OPERATOR_KEY, json: { reason: 'For what comes next.' } });
}

function randomName(): string {
  return `acme-${randomUUID().slice(0, 8)}`;
}

async function makePartner({ client }: Creator): Promise<string> {
  const partner = randomName();
  await client.ask('POST', '/operator/partners', { operatorKey: OPERATOR_KEY, json: { partner } });
  return partner;
}

async function promote(creator: Creator): Promise<string> {
  const { mintAddress: tokenMint } = await creator.createToken();
  const draft = await issue(creator, '/featured/create-unsigned', { tokenMint, days: 1 });
  const { body } = await creator.call<{ promotion: { id: string } }>('POST', '/featured/submit', {
    json: {
      transactionId: draft.transactionId,
      signedTransaction: signedBy(creator.keypair, draft.transaction),
    },
  });
  return body.promotion.id;
}
