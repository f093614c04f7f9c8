// What a token costs at the event store is counted, so that nobody makes the service read more without knowing it.
import { expect, test } from 'vitest';
import { afterTheFile } from '../support/after-the-file.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { openEventStoreStandIn } from '../support/event-store-stand-in/open-stand-in.ts';
import { openTestService, TEST_ENVIRONMENT } from '../support/service.ts';
import { openSeveralProcesses } from '../support/several-processes.ts';

const TOKENS = 12;
/** Until drafts are final, and their nonce accounts are free again. Milliseconds. */
const AFTERMATH = 4_000;
/** They cost by the minute, not by the token. */
const BY_TIME = ['lease', 'checkpoint'];

/** Counts the calls about streams of each category, and those about the whole log. */
async function countingStandIn() {
  const standIn = await openEventStoreStandIn({});
  afterTheFile(async () => standIn.stop());
  const reads = new Map<string, number>();
  const appends = new Map<string, number>();
  standIn.calls.told = (kind, stream) => {
    if (kind === 'subscription') return;
    const category = kind === 'log' ? '$all' : stream.slice(stream.indexOf('.') + 1).replace(/-.*$/s, '');
    if (BY_TIME.includes(category)) return;
    const counted = kind === 'append' ? appends : reads;
    const name = kind === 'absent' ? `${category} (absent)` : category;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  };
  return { standIn, reads, appends };
}

function sumOf(counted: ReadonlyMap<string, number>): number {
  return [...counted.values()].reduce((sum, count) => sum + count, 0);
}

/** Fails with what was read of each category. */
function expectAtMost(what: string, most: number, counted: ReadonlyMap<string, number>): void {
  const each = [...counted].toSorted(([, one], [, other]) => other - one);
  const shown = each.map(([name, count]) => `${name} ${(count / TOKENS).toFixed(1)}`).join(', ');
  expect(sumOf(counted) / TOKENS, `${what} for a token: ${shown}`).toBeLessThanOrEqual(most);
}

/** Each by a creator of its own, all at once, from the wallet to what is left to do when it is final. */
async function createTokens(
  creators: readonly Creator[],
  counted: Pick<Awaited<ReturnType<typeof countingStandIn>>, 'reads' | 'appends'>,
): Promise<void> {
  const images = await Promise.all(creators.map((creator) => creator.upload()));
  counted.reads.clear();
  counted.appends.clear();
  await Promise.all(
    creators.map((creator, index) => creator.createToken({ imageUri: images[index]?.imageUri })),
  );
  await new Promise((resolve) => setTimeout(resolve, AFTERMATH));
}

test('in one process a token takes at most ten reads and ten appends, and a list none', async () => {
  const { standIn, ...counted } = await countingStandIn();
  const service = await openTestService({ EVENT_STORE_URL: standIn.url });
  const creators = await Promise.all(Array.from({ length: TOKENS }, () => openCreator(service)));
  await createTokens(creators, counted);
  expectAtMost('reads', 10, counted.reads);
  expectAtMost('appends', 10, counted.appends);

  counted.reads.clear();
  const calls = 50;
  for (let call = 0; call < calls; call += 1)
    expect((await fetch(`${service.url}/tokens?page=1`)).status).toBe(200);
  // Loops go on meanwhile.
  expect(sumOf(counted.reads)).toBeLessThan(calls / 5);
});

test('by a process that answers and one that works a token takes at most sixteen reads', async () => {
  const { standIn, ...counted } = await countingStandIn();
  const { LOCAL_CHAIN_PORT: _own, LOCAL_CHAIN_SLOT_MS: _slot, PORT: _port, ...settings } = TEST_ENVIRONMENT;
  const several = await openSeveralProcesses({ eventStoreUrl: standIn.url, environment: settings });
  await several.start('settler,distributor,notary');
  const { url } = await several.start('api');
  const running = { url, chainUrl: several.chainUrl };
  const creators = await Promise.all(Array.from({ length: TOKENS }, () => openCreator(running)));
  await createTokens(creators, counted);
  expectAtMost('reads', 16, counted.reads);
});
