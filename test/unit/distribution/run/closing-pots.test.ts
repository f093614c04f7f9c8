// The pots of a run that are still to be closed, and how each is closed.
import { describe, expect, test } from 'vitest';
import { lookAtPots } from '../../../../src/distribution/run/closing-pots.ts';
import { LinksLanded } from '../../../../src/streams/distribution.ts';
import { BatchesSettled, RunAllotted } from '../../../../src/streams/distribution-run.ts';
import { batchesSettled, delegate, pot, runAllotted, runId } from '../../../support/distribution-examples.ts';
import { ids, signatures } from '../../../support/domain-examples.ts';
import {
  courseTo,
  lastTill,
  nodeShowing,
  openLanded,
  stepAt,
  TOKEN,
  tokenAccount,
} from '../../../support/run-examples.ts';

const both = RunAllotted({
  ...runAllotted.data,
  pots: [
    ...runAllotted.data.pots,
    { asset: 'token', address: TOKEN.tokens, delegate, seed: '', from: 0, to: 1, allowance: '500' },
  ],
});
const OPENED = courseTo(openLanded, [both]);
const [inSol] = runAllotted.data.pots;
if (inSol === undefined) throw new Error('the example has a pot');
/** As the chain shows them: what their meters may still pay, and what strangers have added. */
const showing = (sol: bigint, token: bigint, added = 0n) => ({
  [pot]: tokenAccount({ amount: sol + added, delegate: inSol.delegate, delegated: sol }),
  [TOKEN.tokens]: tokenAccount({ amount: 9n + added, delegate, delegated: token }),
});
const shown = showing(90_000_000n, 500n);
const close = (left: string) => ({ kind: 'close' as const, pot, left, rent: '2039280' });
const revoke = (left: string) => ({ kind: 'revoke' as const, delegate, left });

/** What is left in each pot after a batch. */
const settledTo = (...left: readonly [sol: string, token: string]) =>
  BatchesSettled({
    ...batchesSettled.data,
    batches: left.map((value, index) => ({
      pot: index,
      value: both.data.pots[index]?.allowance ?? '0',
      from: 0,
      to: 1,
      without: [],
      signature: signatures.first,
      slot: '4150',
      left: value,
      fee: '5000',
    })),
  });
const closed = (actions: (ReturnType<typeof close> | ReturnType<typeof revoke>)[]) =>
  LinksLanded({
    ...openLanded.data,
    tokenId: ids.tokenId,
    runId,
    purpose: 'close',
    links: [
      { number: 3, previous: null, till: lastTill, actions, signature: signatures.second, fee: '5000' },
    ],
  });

/** So many pots in SOL, in the order of their addresses. */
const manyPots = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...runAllotted.data.pots[0], address: `pot-${index}` }));

const look = (events: Parameters<typeof stepAt>[0], accounts: ReturnType<typeof showing> = shown) =>
  lookAtPots(stepAt(events, { parts: { chain: nodeShowing(accounts).chain } }));

describe('the pots that are left', () => {
  test('are closed, or the key of the run loses what it may spend, at what the meters show as settled', async () => {
    expect(await look(OPENED)).toEqual({ actions: [close('90000000'), revoke('500')] });
    expect(await look([...OPENED, settledTo('3', '4')], showing(3n, 4n))).toEqual({
      actions: [close('3'), revoke('4')],
    });
  });

  test('are closed for their rent where nothing is left; a key that may spend nothing is gone already', async () => {
    expect(await look([...OPENED, settledTo('0', '0')], showing(0n, 0n))).toEqual({
      actions: [close('0')],
    });
  });

  test('are not closed while a meter may pay more than was settled, whatever strangers have added', async () => {
    const settled = [...OPENED, settledTo('3', '0')];
    expect(await look(settled, showing(3n, 0n, 77n))).toHaveProperty('actions');
    const unpaid = { slot: 4_200n };
    expect(await look(settled, showing(4n, 0n))).toEqual({ ...unpaid, pot, meter: 4n, value: '3' });
    expect(await look(settled, showing(3n, 1n))).toEqual({
      ...unpaid,
      pot: TOKEN.tokens,
      meter: 1n,
      value: '0',
    });
  });

  test('are those whose close has not landed', async () => {
    expect(await look([...OPENED, closed([close('90000000')])])).toMatchObject({ actions: [revoke('500')] });
    expect(await look([...OPENED, closed([revoke('500')])])).toMatchObject({ actions: [close('90000000')] });
    expect(await look([...OPENED, closed([close('90000000'), revoke('500')])])).toMatchObject({
      actions: [],
    });
  });

  test('are read a hundred at a time, each once; elsewhere as well where one of them was not shown before', async () => {
    const pots = manyPots(200) as typeof runAllotted.data.pots;
    const addresses = pots.map(({ address }) => address);
    const { chain, asked } = nodeShowing(
      Object.fromEntries(addresses.map((address) => [address, tokenAccount({ amount: 7n })])),
    );
    const absences = new Map([['the pot pot-3', { looks: 1, slot: 4_100n, since: 0 }]]);
    const at = stepAt(courseTo(openLanded, [RunAllotted({ ...runAllotted.data, pots })]), {
      parts: { chain },
      memory: { absences },
    });
    const left = await lookAtPots(at);
    if (!('actions' in left)) throw new Error('all pots are shown');
    expect(left.actions.map((action) => action.kind === 'close' && action.pot)).toEqual(addresses);
    expect(asked.map((options) => options?.elsewhere)).toEqual([true, false]);
    expect([...absences]).toEqual([]);
  });
});
