// A new version of shared documents takes the place of the old one in one step, at which no reader loses what it has seen.
import pTimeout from 'p-timeout';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { START } from '../../../src/kernel/ports/event-store.ts';
import { withMethods } from '../../../src/kernel/runtime/wrap-calls.ts';
import { termOf, totalOf, totalsOf, worldOn } from '../../contracts/shared-projector.contract.ts';
import { deferred } from '../../support/deferred.ts';
import { eventually } from '../../support/eventually.ts';
import { openSharedReadModels } from '../../support/shared-read-model.ts';

/** An upgrade whose new version has caught up, while the old one already shows another event. */
async function upgrading() {
  const world = await worldOn(openSharedReadModels());
  await world.count(1);
  await (await world.project(termOf(1))).stop();
  const [end, waits, more] = [deferred(), deferred(), deferred()];
  const log = withMethods(world.store, {
    async *subscribe(wanted) {
      let isBehind = wanted.after === START;
      wanted.signal.addEventListener('abort', () => more.resolve());
      for await (const message of world.store.subscribe(wanted)) {
        if (isBehind && message.kind === 'caught-up') {
          await end.promise;
          yield message;
          waits.resolve();
          await more.promise;
          isBehind = false;
        } else yield message;
      }
    },
  });
  const next = totalsOf(2);
  const work = await world.project(termOf(2), next, log);
  const followed = await world.follow(next);
  expect(await totalOf(followed, await world.count(2), next)).toBe(3);
  end.resolve();
  await waits.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { count: world.count, work, followed, next, catchUp: () => more.resolve() };
}

test('the old version is read until the new one shows as much, and shows no more meanwhile', async () => {
  const { count, followed, next, catchUp } = await upgrading();
  await count(4);
  const served = () => followed.status()[0]?.served;
  for (let looks = 0; looks < 20; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await followed.readModel.get(next, 'counter-a')).toEqual({ total: 3 });
    expect(served()).toBe(1);
  }
  catchUp();
  await eventually('the new version is read', async () => expect(served()).toBe(2));
  await eventually('the new version shows the rest', async () =>
    expect(await followed.readModel.get(next, 'counter-a')).toEqual({ total: 7 }),
  );
});

test('a process that ends does not wait for the new version to show as much', async () => {
  const { work } = await upgrading();
  // It would give up waiting after five seconds.
  await pTimeout(work.stop(), { milliseconds: 4_500 });
});

test('a read model that is away as a version is to be read is asked again', async () => {
  const models = openSharedReadModels();
  let refusals = 2;
  const world = await worldOn({
    ...models,
    async open() {
      const model = await models.open();
      return withMethods(model, {
        async goLive(projection) {
          refusals -= 1;
          if (refusals >= 0) throw new StoreUnavailable('away');
          return model.goLive(projection);
        },
      });
    },
  });
  await world.count(1);
  await world.project(termOf(1));
  const followed = await world.follow();
  expect(await totalOf(followed, await world.count(2))).toBe(3);
});
