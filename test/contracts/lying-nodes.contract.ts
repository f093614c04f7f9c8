/**
 * What every way to a chain must do when the nodes behind it answer from before a slot that was asked for: they ignore what
 * they were asked, something before them repeats old answers, or answers do not say which slot they are of.
 */
import { addressOf, compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair } from '../../src/chain/keys.ts';
import { memoInstruction } from '../../src/chain/memo-instruction.ts';
import { type Chain, ChainAnswerInvalid, ChainBehind, ChainUnavailable } from '../../src/ports/chain.ts';
import { freezeAnswers, ignoreLeastSlot, nameNoSlot, type Rule } from '../support/chain-proxy.ts';
import { eventually } from '../support/eventually.ts';

export interface LyingNodes {
  /** Of whose nodes each follows the rule, until the function that it gives is called. */
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

    const errorOf = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (reason: unknown) => reason,
      );

    test.each(calls)('%s: answers for a slot that the nodes have reached', async (_call, ask) => {
      const { slot } = await nodes.honest.tip('finalized');
      expect(await errorOf(ask(nodes.chain, slot))).toBeUndefined();
    });

    test.each(calls)('%s: is behind while no node has reached the slot', async (_call, ask) => {
      const { slot } = await nodes.honest.tip('finalized');
      expect(await errorOf(ask(nodes.chain, slot + FAR))).toBeInstanceOf(ChainBehind);
    });

    test.each(
      calls,
    )('%s: is behind where nodes do not look at what they are asked for', async (_call, ask) => {
      const { slot } = await nodes.honest.tip('finalized');
      const truth = nodes.treat(ignoreLeastSlot);
      const found = await errorOf(ask(nodes.chain, slot + FAR));
      truth();
      expect(found).toBeInstanceOf(ChainBehind);
      expect(found).toBeInstanceOf(ChainUnavailable);
    });

    test.each(
      calls,
    )('%s: is behind where something repeats an old answer, until it does not', async (_call, ask) => {
      const truth = nodes.treat(freezeAnswers);
      try {
        const { slot: before } = await nodes.honest.tip('finalized');
        expect(await errorOf(ask(nodes.chain, before > 20n ? before - 20n : 0n))).toBeUndefined();
        const later = await eventually('the chain has gone on', async () => {
          const { slot } = await nodes.honest.tip('finalized');
          return slot > before + 50n ? slot : undefined;
        });
        expect(await errorOf(ask(nodes.chain, later))).toBeInstanceOf(ChainBehind);
        truth();
        expect(await errorOf(ask(nodes.chain, later))).toBeUndefined();
      } finally {
        truth();
      }
    });

    test.each(calls)('%s: makes no sense where no answer names its slot', async (_call, ask) => {
      const { slot } = await nodes.honest.tip('finalized');
      const truth = nodes.treat(nameNoSlot);
      const found = await errorOf(ask(nodes.chain, slot));
      truth();
      expect(found).toBeInstanceOf(ChainAnswerInvalid);
    });
  });
}
