/**
 * A chain whose slots go on while nothing is confirmed or final any more, as nodes showed it during migrations of the
 * consensus: nothing is lost, readiness says so, and everything goes on afterwards.
 */
import { expect, test } from 'vitest';
import { openChainProxy, type Rule, type Treatment } from '../support/chain-proxy.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { allAtRest, openServiceOnChain, openTestChain, readiness } from '../support/service-on-chain.ts';

interface Status {
  readonly confirmationStatus: string;
}

/**
 * Accounts and heights stay as they were when they were first asked for, and no status is more than processed.
 */
function frozenCommitment(): Rule {
  const first = new Map<string, unknown>();
  const firstOf = (key: string, now: unknown): unknown => {
    if (!first.has(key)) first.set(key, now);
    return first.get(key);
  };
  const retold = (retell: (result: never) => unknown): Treatment => ({
    kind: 'retold',
    retell: retell as (result: unknown) => unknown,
  });
  return ({ method, params }) => {
    const commitment = JSON.stringify((params.at(-1) as { commitment?: unknown } | undefined)?.commitment);
    switch (method) {
      case 'getEpochInfo':
        return retold((result) => firstOf(`${method} ${commitment}`, result));
      case 'getMultipleAccounts':
        return retold(({ context, value }: { context: unknown; value: readonly unknown[] }) => ({
          context: firstOf(`context ${commitment}`, context),
          value: value.map((account, index) =>
            firstOf(`${(params[0] as readonly string[])[index]} ${commitment}`, account),
          ),
        }));
      case 'getSignatureStatuses':
        return retold(({ context, value }: { context: unknown; value: readonly (Status | null)[] }) => ({
          context,
          value: value.map(
            (status) => status && { ...status, confirmationStatus: 'processed', confirmations: 0 },
          ),
        }));
      case 'getTransaction':
        return { kind: 'result', result: null };
      default:
        return undefined;
    }
  };
}

test('loses nothing while the chain confirms nothing, says so, and goes on when it does', async () => {
  const chain = await openTestChain();
  const proxy = await openChainProxy(chain.url);
  const service = await openServiceOnChain({
    nodeUrl: proxy.url,
    chainUrl: chain.url,
    environment: { SUBMIT_WAIT: '1s', SETTLE_DEADLINE: '8s', NONCE_ACCOUNTS_MIN: '3' },
    constants: { chainStallMs: 2_000 },
  });
  const creator = await openCreator(service, { sol: 20 });
  const settled = (signed: object) =>
    eventually('the call tells the outcome', async () => {
      const answer = await creator.call<{ token: { mintAddress: string } }>('POST', '/tokens/submit', {
        json: signed,
      });
      return answer.status === 200 && answer.body.token.mintAddress;
    });
  const signed = (issued: Awaited<ReturnType<typeof creator.draft>>) => ({
    transactionId: issued.transactionId,
    signedTransaction: creator.sign(issued),
  });
  const before = await settled(signed(await creator.draft()));
  const draft = await creator.draft();
  const thaw = proxy.treat(frozenCommitment());

  const json = signed(draft);
  const pending = await creator.call<{ code: string }>('POST', '/tokens/submit', { json });
  expect([pending.status, pending.body.code]).toEqual([504, 'CONFIRMATION_PENDING']);
  await eventually('readiness says that the chain stands still', async () =>
    (await readiness(service.url)).failing.includes('chain'),
  );
  await eventually('the deadline of the submission has passed', async () =>
    (await service.events()).some(({ type }) => type === 'SubmissionOverdue'),
  );
  const typesMeanwhile = (await service.events()).map(({ type }) => type);
  expect(typesMeanwhile).not.toContain('SubmissionFailed');
  expect(typesMeanwhile).not.toContain('SubmissionDropped');

  thaw();
  const after = await settled(json);
  await allAtRest(service.url);
  expect((await readiness(service.url)).failing).not.toContain('chain');
  for (const mintAddress of [before, after]) {
    const { status } = await creator.call('GET', `/tokens/${mintAddress}`);
    expect([mintAddress, status]).toEqual([mintAddress, 200]);
  }
  const outcomes = (await service.events()).filter(({ type }) => /^Submission(Failed|Dropped)$/.test(type));
  expect(outcomes).toEqual([]);
});
