// The taxes of all tokens that can change theirs are looked at in rounds, and a change is recorded once.
import { describe, expect, test } from 'vitest';
import type { ObservedRates } from '../../../../src/chain/transfer-fees.ts';
import {
  createTransferFeeObserver,
  landedChange,
  observedRates,
} from '../../../../src/drafts/observers/transfer-fee-observer.ts';
import type { Chain, ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { PageOptions, ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { streams } from '../../../../src/streams/index.ts';
import {
  TokenCreated,
  type TokenEvent,
  type TokenState,
  TransferFeeChanged,
  TransferFeeChangeLanded,
  token,
} from '../../../../src/streams/token.ts';
import { causeOf, clock } from '../../../support/counter.ts';
import { addresses, token as creation, ids, signatures } from '../../../support/domain-examples.ts';
import { undecodableAt } from '../../../support/drafts-on-record.ts';
import { ownerOf } from '../../../support/ledger-files.ts';
import { mintAccount, U64_MAX } from '../../../support/mint-account.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

/** A mint whose tax is this; no tax without a rate. */
function mintWith(basisPoints: number | undefined): ChainAccount {
  const rate = { epoch: 600n, maximum: U64_MAX, basisPoints: basisPoints ?? 0 };
  const tax = { older: rate, newer: rate };
  return mintAccount({ decimals: 6, supply: 1n, ...(basisPoints !== undefined && { tax }) });
}

const idOf = (name: number) => deriveId('token', String(name));

/** Tokens that were created with the example's tax; `shown`: the rate of each now. */
async function observing(
  count: number,
  shown: (name: number) => ChainAccount | undefined,
  { recorded = [0, 1], damaged }: { readonly recorded?: readonly number[]; readonly damaged?: number } = {},
) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  for (const name of recorded)
    await executor.execute(token, idOf(name), causeOf(), () => [
      TokenCreated({
        creator: addresses.creator,
        transactionId: ids.transactionId,
        signature: signatures.first,
        token: { ...creation, tokenId: idOf(name), mintAddress: ownerOf(name), transferFeeAdjustable: true },
      }),
    ]);
  const views = Array.from({ length: count }, (_, name) =>
    JSON.stringify({
      tokenId: idOf(name),
      mint: ownerOf(name),
      rates: { basisPoints: creation.transferFeeBasisPoints, maximum: null, pending: null },
    }),
  );
  const pages: number[] = [];
  const asked: number[] = [];
  const nameOf = new Map(views.map((_view, name) => [ownerOf(name), name]));
  const observer = createTransferFeeObserver({
    executor: damaged === undefined ? executor : undecodableAt(executor, idOf(damaged)),
    readModel: {
      async page(_projection: object, index: string, _value: string, { limit, after }: PageOptions) {
        expect(index).toBe('adjustable');
        const offset = after === undefined ? 0 : views.findIndex((view) => view.includes(after)) + 1;
        pages.push(offset);
        return { items: views.slice(offset, offset + limit), total: views.length };
      },
    } as unknown as ReadModel,
    chain: {
      epoch: async () => 700n,
      async accountsAt(addressesAsked: readonly string[], commitment: string) {
        expect(commitment).toBe('finalized');
        asked.push(addressesAsked.length);
        return { slot: 90n, accounts: addressesAsked.map((each) => shown(nameOf.get(each) ?? -1)) };
      },
    } as unknown as Chain,
  });
  const taxOf = async (name: number) =>
    (await executor.load(token, idOf(name))).state?.transferFee.basisPoints;
  return { observer, pages, asked, taxOf };
}
const SAME = creation.transferFeeBasisPoints;

describe('the observer of taxes', () => {
  test('records what has changed, of that token alone', async () => {
    const at = await observing(2, (name) => mintWith(name === 0 ? SAME : 7));
    expect(await at.observer.observe()).toEqual({ roundDone: true });
    expect([await at.taxOf(0), await at.taxOf(1)]).toEqual([SAME, 7]);
  });

  test.each<[string, ChainAccount | undefined]>([
    ['a mint that the node does not show', undefined],
    ['a mint without a tax', mintWith(undefined)],
  ])('records nothing of %s', async (_what, account) => {
    const at = await observing(2, (name) => (name === 0 ? account : mintWith(7)));
    await at.observer.observe();
    expect([await at.taxOf(0), await at.taxOf(1)]).toEqual([SAME, 7]);
  });

  test('goes through all tokens a thousand at a time, a hundred in a call, and then begins anew', async () => {
    const at = await observing(1_001, () => mintWith(SAME), { recorded: [] });
    const rounds = [];
    for (let times = 0; times < 3; times += 1) rounds.push((await at.observer.observe()).roundDone);
    expect(rounds).toEqual([false, true, false]);
    expect(at.pages).toEqual([0, 1_000, 0]);
    expect(at.asked.slice(0, 11)).toEqual([...Array(10).fill(100), 1]);
  });
});

describe('one change of a tax', () => {
  const { tokenId } = creation;
  const change = { tokenId, transactionId: ids.transactionId };
  const created = TokenCreated({
    creator: addresses.creator,
    transactionId: ids.transactionId,
    signature: signatures.first,
    token: creation,
  });
  const born = { basisPoints: creation.transferFeeBasisPoints, maximum: null };
  const before: ObservedRates = { ...born, pending: null, slot: '90' };
  const changed: ObservedRates = {
    ...born,
    pending: { basisPoints: 7, maximum: null, fromEpoch: '812' },
    slot: '100',
  };
  const valid: ObservedRates = { basisPoints: 7, maximum: null, pending: null, slot: '200' };

  const stateAfter = (...events: readonly TokenEvent[]): TokenState =>
    events.reduce(token.evolve, token.initial);

  /** Event that the observer records if it read the chain while this state was current. */
  function observing(observed: ObservedRates, ...given: readonly TokenEvent[]): readonly TokenEvent[] {
    const state = stateAfter(...given);
    if (state === undefined) throw new Error('there is no token');
    return observedRates(state, tokenId, { seen: state.transferFee, observed });
  }

  const landing = (observed: ObservedRates, ...given: readonly TokenEvent[]): TokenEvent =>
    landedChange(stateAfter(...given), change, observed);

  const byObserver = TransferFeeChanged({ tokenId, transactionId: null, ...changed });
  const byDraft = TransferFeeChanged({ ...change, ...changed });

  describe('a change that a draft made', () => {
    test('is told by the draft where it comes first, and not again by the observer', () => {
      expect(landing(changed, created)).toEqual(byDraft);
      expect(observing({ ...changed, slot: '101' }, created, byDraft)).toEqual([]);
    });

    test('is told by the observer where it comes first; the draft is recorded without telling it again', () => {
      expect(observing(changed, created)).toEqual([byObserver]);
      expect(landing({ ...changed, slot: '101' }, created, byObserver)).toEqual(
        TransferFeeChangeLanded({ ...change, ...changed }),
      );
    });
  });

  describe('a node that is behind', () => {
    test('takes nothing back that was told, and so nothing is told twice', () => {
      expect(observing(before, created, byDraft)).toEqual([]);
      expect(observing(changed, created, TransferFeeChanged({ ...change, ...valid }))).toEqual([]);
    });

    test('does not make a draft tell what a later change has replaced', () => {
      const later = { ...changed, pending: { basisPoints: 9, maximum: '5', fromEpoch: '813' }, slot: '150' };
      const toldLater = TransferFeeChanged({ tokenId, transactionId: null, ...later });
      expect(landing(changed, created, toldLater)).toEqual(TransferFeeChangeLanded({ ...change, ...later }));
    });
  });

  test('an observation that began before something was recorded is left to the next round', () => {
    expect(
      observedRates(stateAfter(created, byDraft), tokenId, {
        seen: before,
        observed: { ...valid, slot: '99' },
      }),
    ).toEqual([]);
  });

  test('a token that a fork took back is told nothing of', () => {
    expect(observedRates(undefined, tokenId, { seen: before, observed: changed })).toEqual([]);
  });
});
