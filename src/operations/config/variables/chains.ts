/** The chain, the embedded one, and what is watched of either. */
import { chainAddress, chainNodeAddress } from '../address-kinds.ts';
import { chainFiles } from '../local-chain-kinds.ts';
import { amount, duration, onOff, wholeNumber } from '../value-kinds.ts';
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
  chainStallMs: advanced(
    'The cluster is slow for a while, and `/ready` should not take the service out for it.',
    variable(
      'CHAIN_STALL',
      duration('1ms', '24h'),
      '20s',
      "How long the chain node's slot may remain the same before `/ready` says so. Its latest block may be three times as old, and final blocks " +
        'as far behind it. At least 50 slots of an embedded chain.',
    ),
  ),
  observePauseMs: advanced(
    "The provider's limit on calls is reached, or changes of taxes should show sooner.",
    variable(
      'OBSERVE_PAUSE',
      duration('1ms', '24h'),
      '15s',
      'The pause between two checks of the taxes of all adjustable tokens.',
    ),
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
  localChainNonces: advanced(
    'You try `DRAFT_LIFETIME_KIND=recent-blockhash`.',
    variable(
      'LOCAL_CHAIN_NONCES',
      onOff,
      'on',
      'Whether the embedded chain has durable nonces. `off`: as Solana without them (SIMD-0723).',
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
