// The operators' list names runs that are due or requested and cannot be opened, with what they wait for.
import { expect, test } from 'vitest';
import type { DistributionProgress, RunProgress } from '../../../src/distribution/services.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { type DistributionDocument, distributions } from '../../../src/projections/distributions.ts';
import { projections } from '../../../src/projections/index.ts';
import { listDistributions } from '../../../src/queries/list-distributions.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { tokenCreated } from '../../support/domain-examples.ts';
import { openProjecting, untilAllLive } from '../../support/projecting.ts';
import { happening, recordedEvents } from '../../support/recorded-events.ts';
import { NOW, only } from '../../support/run-examples.ts';

const SINCE = '2026-05-04T10:00:00.000Z';
const NEXT = '2026-05-04T10:02:00.000Z';

test.each<[string, RunProgress | undefined, boolean, object | undefined]>([
  ['nothing of an idle one', undefined, false, undefined],
  [
    'a run that cannot be opened',
    {
      step: 'consider',
      since: SINCE,
      waitingFor: { ...waitFor('unconfirmed', 'They lack 1.'), since: SINCE },
      retries: { failed: 7, nextAt: NEXT },
    },
    true,
    {
      step: 'consider',
      since: SINCE,
      movedAt: SINCE,
      stuck: true,
      waitingFor: {
        code: 'unconfirmed',
        detail: 'They lack 1.',
        since: SINCE,
        errorMessage: null,
        failedAttempts: 7,
        nextAttemptAt: NEXT,
      },
    },
  ],
  [
    'a run that is being opened',
    { step: 'consider', since: SINCE, waitingFor: undefined },
    false,
    { step: 'consider', since: SINCE, movedAt: SINCE, stuck: false, waitingFor: null },
  ],
])('a token without an open run shows %s', async (_what, seen, isStuck, progress) => {
  const projecting = openProjecting({ isAwaited: true, projections });
  await projecting.projector.start();
  await untilAllLive(projecting);
  const { readModel } = projecting;
  const tokenId = randomId();
  const [event] = recordedEvents([happening(tokenId, tokenCreated)]);
  const made = event && distributions.on.TokenCreated?.apply(undefined, event);
  const document = { ...(made as DistributionDocument), tokenId, requested: true };
  await readModel.commit([
    { collection: distributions, changes: [{ key: tokenId, position: '1', document }] },
  ]);
  const services = {
    readModel,
    clock: { now: () => NOW },
    distributionProgress: () => only<DistributionProgress>('the engine', { of: () => seen }),
    stuckTokens: async () => (isStuck ? [randomId(), tokenId] : []),
  };
  const context = { services, call: {} } as unknown as Parameters<typeof listDistributions.run>[1];
  const list = async (query: object) =>
    (await listDistributions.run({ query }, context)) as {
      readonly distributions: readonly { readonly currentStep?: object }[];
    };
  const { distributions: listed } = await list({});
  expect(listed).toMatchObject([{ tokenId, requested: true, openRun: null }]);
  expect(listed[0]?.currentStep).toEqual(progress);
  // A token that the read model does not show yet is left out.
  expect((await list({ state: 'stuck' })).distributions).toEqual(isStuck ? listed : []);
});

test('stuck distributions are listed as readiness has them, page by page', async () => {
  const projecting = openProjecting({ isAwaited: true, projections });
  await projecting.projector.start();
  await untilAllLive(projecting);
  const { readModel } = projecting;
  const [event] = recordedEvents([happening(randomId(), tokenCreated)]);
  const made = event && distributions.on.TokenCreated?.apply(undefined, event);
  const tokenIds = [randomId(), randomId(), randomId()];
  await readModel.commit([
    {
      collection: distributions,
      changes: tokenIds.map((tokenId) => ({
        key: tokenId,
        position: '1',
        document: { ...(made as DistributionDocument), tokenId },
      })),
    },
  ]);
  let stuck = tokenIds;
  const services = {
    readModel,
    clock: { now: () => NOW },
    distributionProgress: () => undefined,
    stuckTokens: async () => stuck,
  };
  const context = { services, call: {} } as unknown as Parameters<typeof listDistributions.run>[1];
  const page = async (after?: string) => {
    const query = { state: 'stuck', limit: 2, after };
    const { distributions: listed, next } = (await listDistributions.run({ query }, context)) as {
      readonly distributions: readonly { readonly tokenId: string }[];
      readonly next: string | null;
    };
    return [listed.map(({ tokenId }) => tokenId), next];
  };
  const [one, two, three] = tokenIds;
  expect(await page()).toEqual([[one, two], two]);
  expect(await page(two)).toEqual([[three], null]);
  stuck = [one, three] as string[];
  expect(await page(two)).toEqual([[one, three], null]);
});
