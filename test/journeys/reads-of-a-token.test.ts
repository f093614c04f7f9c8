// Counts the event store calls of a token, so that a change that reads more is noticed.
import { expect, test } from 'vitest';
import {
  type CountedStoreCalls,
  countedStoreCalls,
  expectAtMost,
  sumOf,
} from '../support/counted-store-calls.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

const TOKENS = 8;
/** Until drafts are final, and their nonce accounts are free again. Milliseconds. */
const AFTERMATH = 4_000;

/** Each by a creator of its own, all at once, from the wallet to what is left to do when it is final. */
async function createTokens(creators: readonly Creator[], counted: CountedStoreCalls): Promise<void> {
  const images = await Promise.all(creators.map((creator) => creator.upload()));
  counted.forget();
  await Promise.all(
    creators.map((creator, index) => creator.createToken({ imageUri: images[index]?.imageUri })),
  );
  await new Promise((resolve) => setTimeout(resolve, AFTERMATH));
}

test('in one process a token takes at most ten reads and ten appends, and a list none', async () => {
  const counted = await countedStoreCalls();
  const service = await openTestService({ EVENT_STORE_URL: counted.url });
  const creators = await Promise.all(Array.from({ length: TOKENS }, () => openCreator(service)));
  await createTokens(creators, counted);
  expectAtMost('reads for a token', 10, counted.reads, TOKENS);
  expectAtMost('appends for a token', 10, counted.appends, TOKENS);

  counted.forget();
  const calls = 50;
  for (let call = 0; call < calls; call += 1)
    expect((await fetch(`${service.url}/tokens?page=1`)).status).toBe(200);
  // Loops go on meanwhile.
  expect(sumOf(counted.reads)).toBeLessThan(calls / 5);
});
