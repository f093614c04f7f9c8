/** Compares log, chain, bus and the lists of every process once nothing is under way: in sentences, none when all agree. */
import { isDeepStrictEqual } from 'node:util';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Connection } from '@solana/web3.js';
import type { NatsConnection } from 'nats';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { nonceAccounts } from '../../src/projections/nonce-accounts.ts';
import { storedCard, tokens } from '../../src/projections/tokens.ts';
import { transactions } from '../../src/projections/transactions.ts';
import { tokenCard } from '../../src/views/token-card.ts';
import { createClient } from './client.ts';
import { openEventStream } from './event-stream.ts';
import { eventually } from './eventually.ts';
import { findingsInLog, folded, submissionsUnderWay } from './log-audit.ts';
import { storedMessages } from './nats-bus.ts';
import { OPERATOR_KEY } from './operator.ts';
import { nonceValueOnChain } from './settling.ts';

const SUBMISSION_STATES = ['submitted', 'confirmed', 'finalized', 'failed'];
const DRAFT_STATES = ['open', 'superseded', 'expired', 'cancelled'];

export interface AuditedSystem {
  events(): Promise<readonly RecordedEvent[]>;
  readonly chainUrl: string;
  /** State of every process that answers calls. */
  readonly apiUrls: readonly string[];
  readonly bus: { readonly connection: NatsConnection; readonly stream: string };
}

const headOf = (events: readonly RecordedEvent[]) => events.at(-1)?.position ?? '';

/** Waits until every submission has its end and everything is on the bus, then looks at all of it. */
export async function auditSystem(system: AuditedSystem): Promise<readonly string[]> {
  const events = await atRest(system);
  return [
    ...(await findingsInLog(events, system.chainUrl)).map((finding) => JSON.stringify(finding)),
    ...(await chainFaults(events, system.chainUrl)),
    ...(await busFaults(system.bus.connection, system.bus.stream, system.apiUrls[0] ?? '', headOf(events))),
    ...(await Promise.all(system.apiUrls.map((url) => listFaults(events, url)))).flat(),
  ];
}

/** The log once nothing is under way in it, and no nonce account is waited for. */
async function atRest(system: AuditedSystem): Promise<readonly RecordedEvent[]> {
  return eventually(
    'nothing is under way',
    async () => {
      const events = await system.events();
      const underWay = submissionsUnderWay(events);
      if (underWay.length > 0) throw new Error(`under way: ${underWay.join(', ')}`);
      const waitedFor = endedLeases(events);
      if (waitedFor.length > 0) throw new Error(`still leased to what has ended: ${waitedFor.join(', ')}`);
      return events;
    },
    { seconds: 40 },
  );
}

/** Nonce accounts whose draft has landed, or failed: whoever tidies gives them a new value. */
function endedLeases(events: readonly RecordedEvent[]): readonly string[] {
  const ended = new Set(
    [...folded(transactions, events).values()]
      .filter(({ status }) => status === 'finalized' || status === 'failed')
      .map(({ transactionId }) => transactionId),
  );
  return [...folded(nonceAccounts, events).values()]
    .filter(({ lease }) => lease !== null && ended.has(lease.transactionId))
    .map(({ account }) => account);
}

/** Faults that an audit of the log cannot find: mints missing from it, and wrong values of free nonce accounts. */
async function chainFaults(events: readonly RecordedEvent[], chainUrl: string): Promise<readonly string[]> {
  const node = new Connection(chainUrl, 'confirmed');
  const faults: string[] = [];
  const known = new Set([...folded(tokens, events).values()].map(({ mintAddress }) => mintAddress));
  for (const { pubkey, account } of await node.getProgramAccounts(TOKEN_2022_PROGRAM_ID))
    if (isMint(account.data) && !known.has(pubkey.toBase58()))
      faults.push(`the mint ${pubkey} is on the chain and not in the log`);
  for (const { account, value, lease } of folded(nonceAccounts, events).values()) {
    if (lease === null && (await nonceValueOnChain(chainUrl, account)) !== value)
      faults.push(`the free nonce account ${account} has another value on the chain`);
  }
  return faults;
}

/** Token-2022 tells what an account is behind the 165 bytes that all have. */
function isMint(data: Uint8Array): boolean {
  return data.length === 82 || data[165] === 1;
}

/** The bus has what a process tells an operator of the whole log, each once and in the same order. */
async function busFaults(
  connection: NatsConnection,
  stream: string,
  url: string,
  head: string,
): Promise<readonly string[]> {
  const feed = await openEventStream(url, { after: 'start', operatorKey: OPERATOR_KEY });
  await feed.reached(head);
  feed.close();
  const expected = feed.events;
  const found = await eventually(
    `the bus has ${expected.length} messages`,
    async () => {
      const messages = await storedMessages(connection, stream);
      return messages.length >= expected.length && messages.map(({ body }): unknown => JSON.parse(body));
    },
    { seconds: 30 },
  );
  const place = found.findIndex((message, index) => !isDeepStrictEqual(message, expected[index]));
  if (place === -1) return [];
  return [
    `the bus has ${JSON.stringify(found[place])} at ${place} instead of ${JSON.stringify(expected[place])}`,
  ];
}

type Card = Readonly<Record<string, unknown>>;

/** The next run of a token depends on when it is asked for. */
const ofAnyTime = ({ nextDistributionAt: _then, ...card }: Card) => card;

/** What everybody is shown, and operators, against what the log comes to. */
async function listFaults(events: readonly RecordedEvent[], url: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const client = createClient(url);
  const headers = { 'x-after-position': headOf(events) };
  const compare = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      faults.push(`${url} lists ${what} as ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  };
  const all = async <Body>(path: string, listed: (body: Body) => readonly unknown[]) => {
    const found: unknown[] = [];
    let after = '';
    do {
      const body = await client.ask<Body & { next: string | null }>('GET', `${path}limit=100${after}`, {
        headers,
        operatorKey: OPERATOR_KEY,
      });
      found.push(...listed(body));
      after = body.next === null ? '' : `&after=${encodeURIComponent(body.next)}`;
    } while (after !== '');
    return found;
  };

  // Right after its store was away, a process answers for some seconds that its lists are behind.
  await eventually('the lists are caught up', async () => {
    const { status } = await client.call('GET', '/tokens?limit=1', { headers });
    return status === 200;
  });
  const cards: Card[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const body = await client.ask<{ tokens: Card[]; pagination: { totalPages: number } }>(
      'GET',
      `/tokens?limit=100&page=${page}`,
      { headers },
    );
    cards.push(...body.tokens);
    pages = body.pagination.totalPages;
  }
  const born = events
    .filter(({ type }) => type === 'TokenCreated')
    .map(({ stream }) => stream.replace('token-', ''));
  const documents = folded(tokens, events);
  const shown = born.reverse().flatMap((id) => documents.get(id) ?? []);
  const surroundings = { allHalted: undefined, featured: undefined, now: new Date() };
  compare(
    'tokens',
    cards.map(ofAnyTime),
    shown.map((document) => ofAnyTime(tokenCard(storedCard(document), surroundings))),
  );

  const drafts = [...folded(transactions, events).values()];
  const idsOf = (status: string) =>
    drafts.flatMap((draft) => (draft.status === status ? [draft.transactionId] : [])).sort();
  for (const state of [...SUBMISSION_STATES, ...DRAFT_STATES]) {
    const kind = DRAFT_STATES.includes(state) ? 'drafts' : 'submissions';
    const found = await all<{ [kind: string]: { transactionId: string }[] }>(
      `/operator/${kind}?state=${state}&`,
      (body) => (body[kind] ?? []).map(({ transactionId }) => transactionId),
    );
    compare(`${state} ${kind}`, found.sort(), idsOf(state));
  }
  const accounts = await all<{ nonceAccounts: { account: string; value: string }[] }>(
    '/operator/nonce-accounts?',
    (body) => body.nonceAccounts.map(({ account, value }) => `${account} ${value}`),
  );
  const known = [...folded(nonceAccounts, events).values()];
  compare('nonce accounts', accounts.sort(), known.map(({ account, value }) => `${account} ${value}`).sort());
  return faults;
}
