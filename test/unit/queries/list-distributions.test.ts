// The operators' list names runs that are due or requested and cannot be opened, with what they wait for.
import { expect, test } from 'vitest';
import type { DistributionProgress, RunProgress } from '../../../src/distribution/services.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { type DistributionDocument, distributions } from '../../../src/projections/distributions.ts';
import { projections } from '../../../src/projections/index.ts';
import { listDistributions } from '../../../src/queries/list-distributions.ts';
import { waitFor } from '../../../src/streams/distribution-wait.ts';
import { distributionDocument } from '../../support/distribution-document.ts';
import { liveReadModel } from '../../support/projecting.ts';
import { NOW, only } from '../../support/run-examples.ts';

const SINCE = '2026-05-04T10:00:00.000Z';
const NEXT = '2026-05-04T10:02:00.000Z';

/** Asks for the list of these tokens' distributions. */
async function listing(
  documents: readonly DistributionDocument[],
  services: {
    readonly distributionProgress?: () => DistributionProgress;
    readonly stuckTokens: () => Promise<readonly (string | undefined)[]>;
  },
) {
  const readModel = await liveReadModel(projections);
  const changes = documents.map((document) => ({ key: document.tokenId, position: '1', document }));
  await readModel.commit([{ collection: distributions, changes }]);
  const all = { readModel, clock: { now: () => NOW }, distributionProgress: () => undefined, ...services };
  const context = { services: all, call: {} } as unknown as Parameters<typeof listDistributions.run>[1];
  return async (query: object) =>
    (await listDistributions.run({ query }, context)) as {
      readonly distributions: readonly { readonly tokenId: string; readonly currentStep?: object }[];
      readonly next: string | null;
    };
}

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
  const tokenId = randomId();
  const list = await listing([distributionDocument(tokenId, { requested: true, lastOpenedAt: SINCE })], {
    distributionProgress: () => only<DistributionProgress>('the engine', { of: () => seen }),
    stuckTokens: async () => (isStuck ? [randomId(), tokenId] : []),
  });
  const { distributions: listed } = await list({});
  expect(listed).toMatchObject([{ tokenId, requested: true, openRun: null }]);
  expect(listed[0]?.currentStep).toEqual(progress);
  // A token that the read model does not show yet is left out.
  expect((await list({ state: 'stuck' })).distributions).toEqual(isStuck ? listed : []);
});

test('stuck distributions are listed as readiness has them, page by page', async () => {
  const tokenIds = [randomId(), randomId(), randomId()];
  let stuck = tokenIds;
  const list = await listing(
    tokenIds.map((tokenId) => distributionDocument(tokenId)),
    { stuckTokens: async () => stuck },
  );
  const page = async (after?: string) => {
    const { distributions: listed, next } = await list({ state: 'stuck', limit: 2, after });
    return [listed.map(({ tokenId }) => tokenId), next];
  };
  const [one, two, three] = tokenIds;
  expect(await page()).toEqual([[one, two], two]);
  expect(await page(two)).toEqual([[three], null]);
  stuck = [one, three] as string[];
  expect(await page(two)).toEqual([[one, three], null]);
});
