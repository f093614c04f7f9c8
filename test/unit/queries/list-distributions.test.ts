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

test.each<[string, RunProgress | undefined, object | undefined]>([
  ['nothing of an idle one', undefined, undefined],
  [
    'a run that cannot be opened',
    {
      step: 'consider',
      since: SINCE,
      waitingFor: { ...waitFor('unconfirmed', 'They lack 1.'), since: SINCE },
    },
    {
      step: 'consider',
      since: SINCE,
      movedAt: SINCE,
      waitingFor: { code: 'unconfirmed', detail: 'They lack 1.', since: SINCE, error: null },
    },
  ],
  [
    'a run that is being opened',
    { step: 'consider', since: SINCE, waitingFor: undefined },
    { step: 'consider', since: SINCE, movedAt: SINCE, waitingFor: null },
  ],
])('a token without an open run shows %s', async (_what, seen, progress) => {
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
  };
  const context = { services, call: {} } as unknown as Parameters<typeof listDistributions.run>[1];
  const { distributions: listed } = (await listDistributions.run({ query: {} }, context)) as {
    readonly distributions: readonly { readonly progress?: object }[];
  };
  expect(listed).toMatchObject([{ tokenId, requested: true, openRun: null }]);
  expect(listed[0]?.progress).toEqual(progress);
});
