import { describe, expect, test } from 'vitest';
import { createNodeChain } from '../../../../src/adapters/solana-rpc/chain.ts';
import { ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { systemClock } from '../../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { fencedChain, fencedExecutor, LeaseLost } from '../../../../src/kernel/runtime/lease.ts';
import { streams } from '../../../../src/streams/index.ts';
import { ChallengeUsed, signIn } from '../../../../src/streams/sign-in.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

function holding() {
  const state = { held: true };
  return { state, term: { name: 'settler', isHeld: () => state.held } };
}

async function executing() {
  const store = await temporaryEventStore();
  const { state, term } = holding();
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  return { store, state, fencedOne: fencedExecutor(executor, term) };
}

const used = () => [ChallengeUsed({ walletAddress: addresses.creator, attempt: ids.transactionId })];

describe('a fenced executor', () => {
  test('records while the role is held', async () => {
    const { fencedOne, store } = await executing();
    await fencedOne.execute(signIn, 'a', causeOf('settler'), used);
    expect(await wholeLog(store)).toHaveLength(1);
  });

  test('neither decides nor records once it is lost, but still reads', async () => {
    const { fencedOne, state, store } = await executing();
    state.held = false;
    let decisions = 0;
    const decide = () => {
      decisions += 1;
      return used();
    };
    await expect(fencedOne.execute(signIn, 'a', causeOf('settler'), decide)).rejects.toThrow(LeaseLost);
    expect(decisions).toBe(0);
    expect(await wholeLog(store)).toEqual([]);
    expect((await fencedOne.load(signIn, 'a')).revision).toBe('none');
  });

  test('asks after everything else that comes before an append', async () => {
    const { fencedOne, state, store } = await executing();
    const before = async () => {
      state.held = false;
    };
    await expect(
      fencedOne.execute(signIn, 'a', causeOf('settler'), used, { beforeAppend: before }),
    ).rejects.toThrow(LeaseLost);
    expect(await wholeLog(store)).toEqual([]);
  });
});

test('a fenced chain sends nothing once the role is lost, and may still be asked', async () => {
  const { state, term } = holding();
  const chain = fencedChain(createNodeChain({ url: 'http://127.0.0.1:1' }), term);
  await expect(chain.send(new Uint8Array(64))).rejects.toThrow(ChainUnavailable);
  state.held = false;
  await expect(chain.send(new Uint8Array(64))).rejects.toThrow(
    'this process no longer holds the role "settler"',
  );
  await expect(chain.airdrop(addresses.creator, 1n)).rejects.toThrow(LeaseLost);
  await expect(chain.genesisHash()).rejects.toThrow(ChainUnavailable);
});
