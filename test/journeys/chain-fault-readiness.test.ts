// A chain node that answers and is of no use: the service says that it is not ready, why, and is ready again by itself.
import { beforeAll, expect, test } from 'vitest';
import {
  type ChainProxy,
  hideTransactions,
  openChainProxy,
  type Rule,
  swallowSends,
} from '../support/chain-proxy.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { openServiceOnChain, openTestChain, type ServiceOnChain } from '../support/service-on-chain.ts';
import { submission, transactionStatus } from '../support/settling.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

let proxy: ChainProxy;
let service: ServiceOnChain;

beforeAll(async () => {
  const chain = await openTestChain();
  proxy = await openChainProxy(chain.url);
  service = await openServiceOnChain({
    nodeUrl: proxy.url,
    chainUrl: chain.url,
    environment: {
      NONCE_ACCOUNTS_MIN: '3',
      SUBMIT_WAIT: '50ms',
      SETTLE_DEADLINE: '400ms',
    },
    constants: { settleGraceMs: 3_000, chainStallMs: 4_000 },
  });
  await isReadyAgain();
});

async function failing(): Promise<readonly Check[]> {
  const response = await fetch(`${service.url}/ready`);
  const { checks } = (await response.json()) as { readonly checks: readonly Check[] };
  // Nothing is distributed here, which degrades a service and keeps it ready.
  const found = checks.filter(({ ok, name }) => !ok && !name.startsWith('distribut'));
  expect(response.status).toBe(found.length === 0 ? 200 : 503);
  return found;
}

function failingFor(name: string, reason: string): Promise<Check> {
  return eventually(
    `${name} fails: ${reason}`,
    async () =>
      (await failing()).find((check) => check.name === name && String(check.reason).includes(reason)),
    { seconds: 40 },
  );
}

function isReadyAgain(): Promise<true> {
  return eventually('the service is ready', async () => (await failing()).length === 0, { seconds: 60 });
}

test.each<readonly [string, Rule]>([
  ['swallows what is sent to it', swallowSends()],
  ['hides what has landed', hideTransactions()],
])('a node that %s: submissions are overdue, and new drafts are issued all the same', async (_what, rule) => {
  const creator = await openCreator(service);
  const draft = await creator.draft();
  const stop = proxy.treat(rule);
  await submission(creator, draft);
  expect(await failingFor('submissions', 'overdue')).toMatchObject({
    overdue: 1,
    oldestTransactionId: draft.transactionId,
    oldestAgeSeconds: expect.any(Number),
  });
  const another = await openCreator(service);
  expect((await another.draft()).transactionId).toBeDefined();
  stop();
  await isReadyAgain();
  expect(['finalized', 'failed', 'confirmed']).toContain((await transactionStatus(creator, draft)).status);
});
