// Who can see it when a step never ends: the log says it once.
import { expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { type DistributorOptions, startDistributor } from '../../../src/distribution/distributor.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { eventually } from '../../support/eventually.ts';

const TOKEN_ID = '0c6b0b7e-3c2b-4f8e-9a50-5d3e6f0f2a11';

test('a step that a call keeps from ending is told in the log, once', async () => {
  let now = Date.UTC(2026, 4, 4);
  const lines: { readonly message: string; readonly code?: string }[] = [];
  let calls = 0;
  let fail = (_reason: Error) => {};
  const document = {
    tokenId: TOKEN_ID,
    createdAt: new Date(now).toISOString(),
    interval: '1h',
    lastDueAt: null,
    enabled: true,
    hidden: false,
    state: 'idle',
    openRunId: 'a run',
    requested: false,
    lentTo: [],
  };
  const options = {
    clock: { now: () => new Date(now) },
    keyring: createKeyring(Buffer.alloc(32, 12)),
    executor: {
      known() {
        calls += 1;
        return new Promise((_resolve, reject) => {
          fail = reject;
        });
      },
    },
    store: {
      async *subscribe({ signal }: { readonly signal: AbortSignal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
    readModel: {
      served: async () => undefined,
      checkpoint: async () => '',
      find: async () => [document],
    },
    suitability: { unsuitable: () => undefined },
    tokensAtOnce: 2,
    logger: loggerTo((message, details) => lines.push({ message, ...details })),
  } as unknown as DistributorOptions;
  const told = () => lines.filter(({ code }) => code === 'step-hangs');
  const { progress, stop } = startDistributor(options);
  await eventually('the step is under way', async () => calls === 1);
  expect(progress.of(TOKEN_ID)).toBeUndefined();
  now += 600_000;
  const hangs = { message: 'distribution waits', tokenId: TOKEN_ID, code: 'step-hangs' };
  await eventually('it is told', async () => told().length > 0, { seconds: 10 });
  expect(told()).toEqual([expect.objectContaining(hangs)]);
  expect(progress.of(TOKEN_ID)?.waitingFor?.code).toBe('step-hangs');
  // It looks at all tokens once a second.
  now += 2_000;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const stopped = stop();
  fail(new Error('the call is answered at last'));
  await stopped;
  expect(told()).toHaveLength(1);
});
