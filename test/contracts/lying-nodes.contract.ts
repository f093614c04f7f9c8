/**
 * What every way to a chain must do when the nodes behind it answer from before a slot that was asked for: they ignore what
 * they were asked, something before them repeats old answers, or answers do not say which slot they are of.
 */
import { addressOf, compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair } from '../../src/chain/keys.ts';
import { memoInstruction } from '../../src/chain/memo-instruction.ts';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainUnavailable,
} from '../../src/kernel/ports/chain.ts';
import {
  freezeAnswers,
  ignoreLeastSlot,
  nameAbsurdSlot,
  nameNoSlot,
  type Rule,
} from '../support/chain-proxy.ts';
import { eventually } from '../support/eventually.ts';

export interface LyingNodes {
  /** Every node follows the rule until the returned function is called. */
  treat(rule: (nodeUrl: string) => Rule): () => void;
  readonly chain: Chain;
  /** The same chain by a node that tells the truth. */
  readonly honest: Chain;
  dispose(): Promise<void>;
}

const MINT = addressOf(new Uint8Array(32).fill(9));
const FAR = 1_000_000n;

export function lyingNodesContract(name: string, open: () => Promise<LyingNodes>): void {
  describe(`${name} keeps to the slot that is asked for`, () => {
    let nodes: LyingNodes;
    const key = createKeyPair(crypto.getRandomValues(new Uint8Array(32)));

    beforeAll(async () => {
      nodes = await open();
      await nodes.honest.airdrop(key.address, 1_000_000_000n);
    });

    afterAll(() => nodes.dispose());

    const wire = unsignedTransaction(
      compileLegacyMessage({
        payer: key.address,
        recentBlockhash: MINT,
        instructions: [memoInstruction([key.address], 'a')],
      }).bytes,
    );

    /** Every call that takes a slot. */
    const calls: readonly (readonly [string, (chain: Chain, atLeastSlot: bigint) => Promise<unknown>])[] = [
      ['accounts', (chain, atLeastSlot) => chain.accounts([key.address], 'finalized', { atLeastSlot })],
      ['accountsAt', (chain, atLeastSlot) => chain.accountsAt([key.address], 'finalized', { atLeastSlot })],
      [
        'accountsAt elsewhere',
        (chain, atLeastSlot) =>
          chain.accountsAt([key.address], 'finalized', { atLeastSlot, elsewhere: true }),
      ],
      [
        'signaturesOf',
        (chain, atLeastSlot) =>
          chain.signaturesOf(key.address, { limit: 1, commitment: 'finalized', atLeastSlot }),
      ],
      ['simulate', (chain, atLeastSlot) => chain.simulate(wire, { anyBlockhash: true, atLeastSlot })],
      ['tokenAccounts', (chain, atLeastSlot) => chain.tokenAccounts(MINT, { atLeastSlot })],
      [
        'tokenAccounts changed since',
        (chain, changedSinceSlot) => chain.tokenAccounts(MINT, { changedSinceSlot }),
      ],
    ];

    /** What becomes of each call, all at once: a call that waits for its slot takes a second. */
    async function outcomesAt(slot: bigint): Promise<Readonly<Record<string, unknown>>> {
      const outcomes = calls.map(async ([name, ask]) => {
        const outcome = await ask(nodes.chain, slot).then(
          () => 'answered',
          (reason: unknown) => (reason instanceof Error ? reason.constructor : reason),
        );
        return [name, outcome] as const;
      });
      return Object.fromEntries(await Promise.all(outcomes));
    }

    const all = (outcome: unknown) => Object.fromEntries(calls.map(([name]) => [name, outcome]));
    const finalizedSlot = async () => (await nodes.honest.tip('finalized')).slot;

    test('answers for a slot that the nodes have reached', async () => {
      expect(await outcomesAt(await finalizedSlot())).toEqual(all('answered'));
    });

    test('is behind while no node has reached the slot', async () => {
      expect(await outcomesAt((await finalizedSlot()) + FAR)).toEqual(all(ChainBehind));
    });

    test('is behind where nodes do not look at what they are asked for', async () => {
      const slot = await finalizedSlot();
      const truth = nodes.treat(ignoreLeastSlot);
      const found = await outcomesAt(slot + FAR);
      truth();
      expect(found).toEqual(all(ChainBehind));
      expect(new ChainBehind('')).toBeInstanceOf(ChainUnavailable);
    });

    test('is behind where something repeats an old answer, until it does not', async () => {
      const truth = nodes.treat(freezeAnswers);
      try {
        const before = await finalizedSlot();
        expect(await outcomesAt(before > 20n ? before - 20n : 0n)).toEqual(all('answered'));
        const later = await eventually('the chain has gone on', async () => {
          const slot = await finalizedSlot();
          return slot > before + 50n ? slot : undefined;
        });
        expect(await outcomesAt(later)).toEqual(all(ChainBehind));
        truth();
        expect(await outcomesAt(later)).toEqual(all('answered'));
      } finally {
        truth();
      }
    });

    test('makes no sense where answers name a slot that no chain has reached, and waits for none such later', async () => {
      const slot = await finalizedSlot();
      const truth = nodes.treat(nameAbsurdSlot);
      const found = await outcomesAt(slot);
      truth();
      expect(found).toEqual(all(ChainAnswerInvalid));
      expect(await outcomesAt(slot)).toEqual(all('answered'));
    });

    test('makes no sense where no answer names its slot', async () => {
      const slot = await finalizedSlot();
      const truth = nodes.treat(nameNoSlot);
      const found = await outcomesAt(slot);
      truth();
      expect(found).toEqual(all(ChainAnswerInvalid));
    });
  });
}
