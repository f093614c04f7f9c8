/** The chain, the embedded one, and what is watched of either. */
import { chainAddress, chainNodeAddress } from '../address-kinds.ts';
import { chainFiles } from '../local-chain-kinds.ts';
import { amount, wholeNumber } from '../value-kinds.ts';
import { advanced, variable, variableOrElse } from '../variable.ts';

export const chains = {
  chain: variable(
    'CHAIN_URL',
    chainAddress,
    'local:',
    'The Solana chain. `local:` starts an embedded chain that keeps its state in `DATA_DIR`. Of several nodes, reads are asked of the first that ' +
      'is well, and transactions are sent to all. See [Choose nodes](../how-to/operate/choose-nodes.md).',
  ),
  chainWitness: variableOrElse(
    'CHAIN_WITNESS_URL',
    chainNodeAddress,
    { value: undefined, shown: 'none' },
    "A second node of the same chain, of another provider than `CHAIN_URL`'s. With it, a distribution closes its books only when both nodes " +
      'show the same. See [The witness](../how-to/operate/distribute-tax.md#the-witness).',
  ),
  priorityFeeMax: advanced(
    'The cluster is congested and transactions do not land, or they cost too much.',
    variable(
      'PRIORITY_FEE_MAX',
      amount('micro-lamports per compute unit'),
      '1000000',
      'The highest priority price of a transaction.',
    ),
  ),
  localChainPort: advanced(
    'Wallets, explorers or tests of your own connect to the embedded chain.',
    variable(
      'LOCAL_CHAIN_PORT',
      wholeNumber(0, 65_535),
      '0',
      'The JSON-RPC port of the embedded chain, on loopback; 0 takes a free one. Printed at start.',
    ),
  ),
  localChainSlotMs: advanced(
    'Finality, which takes 32 slots, should come sooner in tests.',
    variable(
      'LOCAL_CHAIN_SLOT_MS',
      wholeNumber(1, 60_000, 'milliseconds'),
      '250',
      'The length of a slot of the embedded chain.',
    ),
  ),
  localChainFiles: advanced(
    'You try launches on the embedded chain, which need the program of the venue.',
    variableOrElse(
      'LOCAL_CHAIN_ACCOUNTS',
      chainFiles,
      { value: { programs: [], accounts: [] }, shown: 'none' },
      'Programs for the embedded chain, as dumped by `solana program dump`, and accounts, as written by `solana account --output json`. Programs are ' +
        'loaded at every start; an account that exists already is not changed.',
    ),
  ),
} as const;
