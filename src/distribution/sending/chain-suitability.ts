/**
 * Tests by simulation if the chain supports the parts of a payment: transactions of version 1, the token program's batches and
 * its payout of wrapped SOL as lamports. No run is opened on a chain without these.
 */
import { ACCOUNT_SIZE, createSyncNativeInstruction } from '@solana/spl-token';
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import { batchOf, transferSol, unwrapLamports } from '../../chain/payment-instructions.ts';
import { transferInstruction } from '../../chain/system-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { solAccountOf } from '../once/till-chain.ts';
import type { Sender } from './sender.ts';

export type ChainSuitability = ReturnType<typeof createChainSuitability>;

const SEED = 'levy:suitability';

export function createChainSuitability(
  chain: Pick<Chain, 'rentExemption'>,
  sender: Pick<Sender, 'simulate'>,
  distributor: KeyPair,
) {
  let isShown = false;
  let reason: string | undefined;
  let underWay: Promise<string | undefined> | undefined;

  async function simulate(): Promise<string | undefined> {
    const { address } = distributor;
    const account = seededAddress(address, SEED, TOKEN_PROGRAM);
    const rent = await chain.rentExemption(ACCOUNT_SIZE);
    const spend = { from: account, authority: address, lamports: rent };
    const { error } = await sender.simulate(
      [
        ...solAccountOf({ address: account, seed: SEED, wallet: address, payer: address, rent }),
        transferInstruction({ from: address, to: account, lamports: rent }),
        tokenInstruction(createSyncNativeInstruction, account),
        batchOf([transferSol({ ...spend, to: account }), unwrapLamports({ ...spend, to: address })]),
      ],
      address,
    );
    isShown = error === undefined;
    reason = error && `The chain does not accept payments of the service (${error}).`;
    return reason;
  }

  return {
    /** Reason at the last check; undefined if the chain is suitable or was not checked yet. */
    unsuitable: () => reason,
    /** Checks the chain now, unless it was suitable before. Rejects if the node does not respond. */
    async check() {
      if (isShown) return undefined;
      // Concurrent callers share one simulation, because many tokens may be due.
      underWay ??= simulate().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}
