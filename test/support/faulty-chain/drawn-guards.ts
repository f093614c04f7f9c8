/**
 * What guards a protocol run, drawn from its seed: the distributor's floor, the announced time, caps on costs, how balances weigh, a
 * second node that may lie for a while, operators who halt and resume, and a token that is hidden or switched off meanwhile.
 */
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import type { DistributionPolicy } from '../../../src/distribution/engine-parts.ts';
import { type Chain, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import { causeOf, type Executor } from '../../../src/kernel/runtime/execute.ts';
import {
  DistributionHalted,
  DistributionResumed,
  type DistributionState,
  distribution,
} from '../../../src/streams/distribution.ts';
import type { DistributionSettings } from '../../../src/streams/distribution-settings.ts';
import {
  AllDistributionsHalted,
  AllDistributionsResumed,
  DISTRIBUTION_SWITCH,
  distributionSwitch,
} from '../../../src/streams/distribution-switch.ts';
import { DistributionSettingsUpdated, TokenHidden, TokenShown, token } from '../../../src/streams/token.ts';
import type { ForkingLedger } from './forking-ledger.ts';
import type { Random } from './random.ts';

export interface Guards {
  readonly policy: Pick<
    DistributionPolicy,
    'holding' | 'floor' | 'announce' | 'costsMaxBasisPoints' | 'selfCostsPerDay'
  >;
  readonly model: DistributionSettings['distributionModel'];
  /** Runs are opened when they are due; those that are not worth their costs are asked for afterwards. */
  readonly isDue: boolean;
  readonly witness: ((chain: Chain) => Chain) | undefined;
  /** Actions of operators and the creator before a step; they repeat them a few times, and undo them. */
  meddle(executor: Executor, state: DistributionState): Promise<void>;
}

const SOL = 1_000_000_000n;
/** Lamports of the distributor at the start. */
const FUNDED = 1_000n * SOL;
const REASON = 'A drawn guard.';

export function drawGuards(
  random: Random,
  {
    tokenId,
    distributor,
    ledger,
  }: {
    readonly tokenId: string;
    readonly distributor: string;
    readonly ledger: ForkingLedger;
  },
): Guards {
  const draws = random.of('guards');
  const doubt = draws.pick(['none', 'honest', 'silent', 'lying'] as const);
  const doubted = draws.between(5, 60);
  const acts = { left: draws.pick([0, 2, 6]) };
  return {
    policy: {
      holding: draws.pick(['now', 'least-of-two']),
      // A lamport of fees brings the distributor under the second one.
      floor: draws.pick([0n, FUNDED]),
      announce: draws.pick([0, 3_000, 40_000]),
      costsMaxBasisPoints: draws.pick([1, 1_000, 10_000]),
      selfCostsPerDay: draws.pick([0n, 50_000n, SOL]),
    },
    model: draws.pick(['proportional', 'square-root']),
    isDue: draws.chance(0.3),
    witness: doubt === 'none' ? undefined : (chain) => doubtful(chain, doubt, doubted, random.of('doubt')),
    async meddle(executor, state) {
      if (state.skipped === 'distributor-unfunded' && state.open === undefined)
        ledger.put(distributor, { owner: SYSTEM_PROGRAM, lamports: 2n * FUNDED, data: new Uint8Array() });
      await meddle({ executor, tokenId, state, draws, acts });
    },
  };
}

interface Meddling {
  readonly executor: Executor;
  readonly tokenId: string;
  readonly state: DistributionState;
  readonly draws: Random;
  readonly acts: { left: number };
}

/** An action is undone before the next one begins. */
async function meddle({ executor, tokenId, state, draws, acts }: Meddling): Promise<void> {
  const cause = causeOf('test');
  if (state.halted?.code === 'OPERATOR') {
    if (draws.chance(0.4))
      await executor.execute(distribution, tokenId, cause, ({ halted }) =>
        halted?.code === 'OPERATOR' ? [DistributionResumed({ tokenId, reason: REASON })] : [],
      );
    return;
  }
  if (state.halted !== undefined) return;
  const { state: all } = await executor.load(distributionSwitch, DISTRIBUTION_SWITCH);
  const { state: created } = await executor.load(token, tokenId);
  const isEnabled = created?.settings.distributionEnabled ?? true;
  if (all !== undefined || created?.hidden !== undefined || !isEnabled) {
    if (!draws.chance(0.4)) return;
    await executor.execute(distributionSwitch, DISTRIBUTION_SWITCH, cause, (now) =>
      now === undefined ? [] : [AllDistributionsResumed({ reason: REASON })],
    );
    await executor.execute(token, tokenId, cause, (now) => [
      ...(now?.hidden === undefined ? [] : [TokenShown({ tokenId, reason: null })]),
      ...(now?.settings.distributionEnabled === false ? [switched(tokenId, true)] : []),
    ]);
    return;
  }
  if (acts.left === 0 || !draws.chance(0.05)) return;
  acts.left -= 1;
  switch (draws.pick(['halt', 'halt all', 'hide', 'disable'] as const)) {
    case 'halt':
      await executor.execute(distribution, tokenId, cause, ({ halted, open }) =>
        halted === undefined
          ? [DistributionHalted({ tokenId, runId: open?.runId ?? null, code: 'OPERATOR', reason: REASON })]
          : [],
      );
      return;
    case 'halt all':
      await executor.execute(distributionSwitch, DISTRIBUTION_SWITCH, cause, (now) =>
        now === undefined ? [AllDistributionsHalted({ reason: REASON })] : [],
      );
      return;
    case 'hide':
      await executor.execute(token, tokenId, cause, (now) =>
        now?.hidden === undefined ? [TokenHidden({ tokenId, reason: REASON })] : [],
      );
      return;
    case 'disable':
      await executor.execute(token, tokenId, cause, (now) =>
        now?.settings.distributionEnabled === true ? [switched(tokenId, false)] : [],
      );
  }
}

function switched(tokenId: string, isEnabled: boolean): ReturnType<typeof DistributionSettingsUpdated> {
  return DistributionSettingsUpdated({
    tokenId,
    from: { distributionEnabled: !isEnabled },
    to: { distributionEnabled: isEnabled },
  });
}

/** A second node whose first calls are not answered, or show nothing of what is there. */
function doubtful(chain: Chain, doubt: 'honest' | 'silent' | 'lying', doubted: number, draws: Random): Chain {
  let calls = doubt === 'honest' ? doubted : 0;
  const isDoubtful = () => calls++ < doubted && draws.chance(0.7);
  return {
    ...chain,
    async accountsAt(...call) {
      const shown = await chain.accountsAt(...call);
      if (!isDoubtful()) return shown;
      if (doubt === 'silent') throw new ChainUnavailable('the second node is away');
      return { slot: shown.slot, accounts: shown.accounts.map(() => undefined) };
    },
    async statuses(...call) {
      const shown = await chain.statuses(...call);
      return isDoubtful() ? shown.map(() => undefined) : shown;
    },
  };
}
