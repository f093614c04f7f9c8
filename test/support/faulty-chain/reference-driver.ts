/**
 * The least that pays by till chain and meter: runs that burn, open pots, pay in rounds and close. It keeps the two rules,
 * unless it is told to break one, so that a test can see what each of them is for.
 */
import {
  type Instruction,
  joined,
  readTokenAccount,
  seededAddress,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  unsigned,
} from 'levy-solana-wire';
import type { KeyPair } from '../../../src/chain/keys.ts';
import { transferSol } from '../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import { closePot, type Payment, type Pot, payFromPot } from '../../../src/distribution/once/meter.ts';
import {
  linkInstructions,
  markerOf,
  solAccountOf,
  type TillAction,
  type TillLink,
  tillOf,
} from '../../../src/distribution/once/till-chain.ts';
import { type Chain, ChainUnavailable, type Commitment } from '../../../src/kernel/ports/chain.ts';
import { actionsOf } from '../decode-actions.ts';
import { approveDelegate } from '../token-instructions.ts';
import type { FactLog } from './fact-log.ts';
import type { Random } from './random.ts';
import { DECIMALS, signed } from './token-world.ts';

export interface Rules {
  readonly guard: boolean;
  readonly readAt: Commitment;
  readonly delegateApprovedOnce: boolean;
  readonly tillsCommitToContent: boolean;
}

export const THE_RULES: Rules = {
  guard: true,
  readAt: 'finalized',
  delegateApprovedOnce: true,
  tillsCommitToContent: true,
};

interface PotPlan {
  readonly seed: string;
  readonly address: string;
  readonly allowance: bigint;
  readonly from: number;
  readonly to: number;
}

type Step =
  | { readonly kind: 'burn'; readonly amount: bigint }
  | { readonly kind: 'bring'; readonly lamports: bigint }
  | { readonly kind: 'open'; readonly pot: PotPlan; readonly again: boolean }
  | { readonly kind: 'close'; readonly address: string; readonly left: bigint; readonly rent: bigint };

interface Batch {
  readonly pot: number;
  readonly value: bigint;
  readonly from: number;
  readonly to: number;
}

export type Fact =
  | {
      readonly kind: 'link';
      readonly purpose: 'begin' | 'split' | 'open' | 'close';
      readonly number: number;
      readonly steps: readonly Step[];
    }
  | { readonly kind: 'landed'; readonly till: string; readonly link: number; readonly slot: bigint }
  | { readonly kind: 'allotted'; readonly amounts: readonly bigint[]; readonly pots: readonly PotPlan[] }
  | { readonly kind: 'round'; readonly batches: readonly Batch[] }
  | { readonly kind: 'settled'; readonly batch: Batch; readonly signature: string }
  | { readonly kind: 'closed' };

export interface DriverOptions {
  readonly chain: Chain;
  readonly log: FactLog<Fact>;
  readonly random: Random;
  readonly rules: Rules;
  readonly wallet: KeyPair;
  readonly distributor: KeyPair;
  /** Brings the lamports that are paid, and signs the links that do so. */
  readonly desk: KeyPair;
  readonly mint: string;
  readonly tokens: string;
  readonly holders: readonly string[];
  readonly runs: number;
}

interface Link {
  readonly fact: Extract<Fact, { kind: 'link' }>;
  readonly till: string;
}

/** What the facts say of the run that is under way. */
function stateOf(
  facts: readonly Fact[],
  linkOf: (fact: Link['fact'], previous: string | undefined) => string,
) {
  let till: { address: string; number: number; slot: bigint } | undefined;
  let pending: Link[] = [];
  let allotted: Extract<Fact, { kind: 'allotted' }> | undefined;
  let done = { split: false, open: false, close: false };
  let progress: { value: bigint; next: number; plans: Batch[] }[] = [];
  let [runs, closed] = [0, 0];
  for (const fact of facts)
    switch (fact.kind) {
      case 'link':
        pending.push({ fact, till: linkOf(fact, till?.address) });
        break;
      case 'landed': {
        const purpose = pending[fact.link]?.fact.purpose;
        till = { address: fact.till, number: (till?.number ?? -1) + 1, slot: fact.slot };
        if (purpose !== undefined && purpose !== 'begin') done = { ...done, [purpose]: true };
        pending = [];
        break;
      }
      case 'allotted':
        allotted = fact;
        runs += 1;
        progress = fact.pots.map(({ allowance, from }) => ({ value: allowance, next: from, plans: [] }));
        break;
      case 'round':
        for (const batch of fact.batches) progress[batch.pot]?.plans.push(batch);
        break;
      case 'settled': {
        const { pot, value, from, to } = fact.batch;
        const paid = allotted?.amounts.slice(from, to).reduce((sum, amount) => sum + amount, 0n) ?? 0n;
        progress[pot] = { value: value - paid, next: to, plans: [] };
        break;
      }
      case 'closed':
        closed += 1;
        allotted = undefined;
        done = { split: false, open: false, close: false };
        break;
    }
  return { till, pending, allotted, done, progress, runs, closed };
}

export class ChainAhead extends Error {
  override readonly name = 'ChainAhead';
}

/** Resolves when all runs are closed. Throws `ChainAhead` where the log lacks what the chain shows. */
export async function drive(options: DriverOptions): Promise<void> {
  const { log, runs } = options;
  const driver = createDriver(options);
  for (;;) {
    const facts = await log.read();
    const state = driver.stateOf(facts);
    if (state.closed >= runs) return;
    try {
      await driver.step(facts.length, state);
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
    }
  }
}

type State = ReturnType<typeof stateOf>;

function createDriver({
  chain,
  log,
  random,
  rules,
  wallet,
  distributor,
  desk,
  mint,
  tokens,
  holders,
}: DriverOptions) {
  const draws = random.of('driver');

  function actionOf(step: Step): TillAction {
    switch (step.kind) {
      case 'burn':
        return { content: `burn ${step.amount}`, spend: () => [burn(step.amount)] };
      case 'bring':
        return {
          content: `bring ${step.lamports}`,
          collect: (till) => [transferInstruction({ from: desk.address, to: till, lamports: step.lamports })],
        };
      case 'open': {
        const { address, seed, allowance } = step.pot;
        return {
          content: `open ${address} ${allowance}`,
          spend: (till) => [
            ...(step.again
              ? []
              : solAccountOf({
                  address,
                  seed,
                  wallet: wallet.address,
                  payer: distributor.address,
                  rent: RENT.lamports,
                })),
            transferSol({ from: till, to: address, authority: wallet.address, lamports: allowance }),
            approveDelegate({
              account: address,
              owner: wallet.address,
              delegate: distributor.address,
              lamports: allowance,
            }),
          ],
        };
      }
      case 'close':
        return {
          content: `close ${step.address} ${step.left}`,
          collect: (till) => closePot(potAt(step.address), step.left, till),
          rentReturned: step.rent,
        };
    }
  }

  const burn = (amount: bigint): Instruction => ({
    program: TOKEN_2022_PROGRAM,
    accounts: [
      { address: tokens, signer: false, writable: true },
      { address: mint, signer: false, writable: true },
      { address: wallet.address, signer: true, writable: false },
    ],
    data: joined([Uint8Array.of(15), unsigned(amount, 8), Uint8Array.of(DECIMALS)]),
  });

  const potAt = (address: string): Pot => ({
    address,
    owner: wallet.address,
    delegate: distributor.address,
    asset: { kind: 'sol' },
  });

  function linkOf({ number, steps }: Link['fact'], previous: string | undefined): TillLink {
    const actions = steps.map(actionOf);
    return {
      wallet: wallet.address,
      number,
      previous,
      actions: rules.tillsCommitToContent
        ? actions
        : actions.map((action, index) => ({ ...action, content: `action ${index}` })),
    };
  }

  async function sign(instructions: readonly Instruction[], keys: readonly KeyPair[]): Promise<Uint8Array> {
    const { blockhash } = await chain.recentBlockhash();
    return signed(instructions, keys, blockhash);
  }

  async function settleLink(known: number, { till, pending }: State): Promise<void> {
    const addresses = pending.map((link) => link.till);
    const { slot, accounts } = await chain.accountsAt(
      [...addresses, ...(till === undefined ? [markerOf(wallet.address)] : [till.address])],
      'finalized',
      till === undefined ? {} : { atLeastSlot: till.slot },
    );
    const isTill = (account: (typeof accounts)[number]) => account?.owner === TOKEN_PROGRAM;
    // Of contents with one address the last one is taken for what landed, which is the fault.
    const landed = addresses.findLastIndex((_, index) => isTill(accounts[index]));
    if (landed >= 0) {
      await log.append(known, { kind: 'landed', till: addresses[landed] ?? '', link: landed, slot });
      return;
    }
    const before = accounts[addresses.length];
    if (till !== undefined && !isTill(before)) throw new ChainAhead(`till ${till.number} is gone`);
    const latest = pending.at(-1);
    if (latest === undefined) return;
    // Another content for the same link, as after a sale that could not be made.
    const [other] = latest.fact.steps;
    if (other?.kind === 'burn' && pending.length < 3 && draws.chance(0.3)) {
      const steps = [{ ...other, amount: other.amount + 1n }, ...latest.fact.steps.slice(1)];
      await log.append(known, { ...latest.fact, steps });
      return;
    }
    const instructions = linkInstructions(linkOf(latest.fact, till?.address), distributor.address, {
      today: RENT.lamports,
      ofPrevious: RENT.lamports,
    });
    const brings = latest.fact.steps.some(({ kind }) => kind === 'bring');
    await chain.send(await sign(instructions, [distributor, wallet, ...(brings ? [desk] : [])]));
  }

  async function allot(known: number, { till, runs }: State): Promise<void> {
    if (till === undefined) return;
    const { accounts } = await chain.accountsAt([till.address], 'finalized', { atLeastSlot: till.slot });
    const account = accounts[0] && readTokenAccount(accounts[0]);
    if (account === undefined) return;
    const weights = holders.map(() => BigInt(draws.between(1, 100)));
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    const amounts = weights.map((weight) => (account.amount * weight) / total);
    if (amounts.some((amount) => amount < 1_000_000n)) throw new Error('too little is there to be paid');
    const wanted = rules.delegateApprovedOnce ? draws.between(1, Math.min(3, holders.length)) : 1;
    const pots = Array.from({ length: wanted }, (_, index): PotPlan => {
      const seed = rules.delegateApprovedOnce ? `pot ${runs} ${index}` : 'pot';
      const [from, to] = [index, index + 1].map((at) => Math.floor((at * holders.length) / wanted));
      const allowance = amounts.slice(from, to).reduce((sum, amount) => sum + amount, 0n);
      return {
        seed,
        address: seededAddress(wallet.address, seed, TOKEN_PROGRAM),
        allowance,
        from: from ?? 0,
        to: to ?? 0,
      };
    });
    await log.append(known, { kind: 'allotted', amounts, pots });
  }

  const paymentsOf = (amounts: readonly bigint[], { from, to }: Batch): readonly Payment[] =>
    amounts.slice(from, to).map((amount, index) => ({ to: holders[from + index] ?? '', amount }));

  async function pay(known: number, state: State, allotted: NonNullable<State['allotted']>): Promise<void> {
    const { amounts, pots } = allotted;
    const open = state.progress.flatMap((own, index) => {
      const pot = pots[index];
      return pot !== undefined && own.next < pot.to ? [{ ...own, index, pot }] : [];
    });
    if (open.some(({ plans }) => plans.length === 0)) {
      const batches = open
        .filter(({ plans }) => plans.length === 0)
        .map(({ index, value, next, pot }) => ({
          pot: index,
          value,
          from: next,
          to: Math.min(pot.to, next + draws.between(1, 3)),
        }));
      await log.append(known, { kind: 'round', batches });
      return;
    }
    const { accounts } = await chain.accountsAt(
      open.map(({ pot }) => pot.address),
      rules.readAt,
    );
    for (const [place, { pot, value, plans, index }] of open.entries()) {
      const account = accounts[place] && readTokenAccount(accounts[place]);
      if (account === undefined) continue;
      const plan = plans.at(-1);
      if (plan === undefined || account.delegatedAmount > value) continue;
      if (account.delegatedAmount < value) {
        const signature = await landedAt(pot.address, value, amounts, plans);
        if (signature === undefined) continue;
        await log.append(known, { kind: 'settled', batch: { ...plan, pot: index }, signature });
        return;
      }
      const guarded = payFromPot(potAt(pot.address), value, paymentsOf(amounts, plan));
      await chain.send(await sign(rules.guard ? guarded : unguarded(guarded), [distributor]));
    }
  }

  /** The signature of a plan for the value, found in the pot's history. */
  async function landedAt(
    pot: string,
    value: bigint,
    amounts: readonly bigint[],
    plans: readonly Batch[],
  ): Promise<string | undefined> {
    const facts = await log.read();
    const settled = new Set(facts.flatMap((fact) => (fact.kind === 'settled' ? [fact.signature] : [])));
    for (const { signature } of await chain.signaturesOf(pot, { limit: 20, commitment: rules.readAt })) {
      if (settled.has(signature)) continue;
      const landed = await chain.transaction(signature, rules.readAt);
      if (landed === undefined || landed.error !== undefined) continue;
      const moves = actionsOf(landed.wire)?.actions ?? [];
      const guard = moves.find((action) => action.kind === 'move' && action.from === action.to);
      if (rules.guard && (guard?.kind !== 'move' || guard.amount !== value)) continue;
      const paid = moves.flatMap((action) =>
        action.kind === 'unwrap' && action.from === pot ? [`${action.to} ${action.amount}`] : [],
      );
      const isPlanned = plans.some(
        (plan) =>
          paymentsOf(amounts, plan)
            .map(({ to, amount }) => `${to} ${amount}`)
            .join() === paid.join(),
      );
      if (isPlanned) return signature;
    }
    return undefined;
  }

  async function step(known: number, state: State): Promise<void> {
    const { till, pending, allotted, done, progress } = state;
    const number = (till?.number ?? -1) + 1;
    if (pending.length > 0) return settleLink(known, state);
    if (till === undefined) {
      await log.append(known, { kind: 'link', purpose: 'begin', number, steps: [] });
    } else if (!done.split) {
      const steps: Step[] = [
        { kind: 'burn', amount: BigInt(draws.between(1, 1_000)) * 10n },
        { kind: 'bring', lamports: BigInt(holders.length * draws.between(200, 300)) * 1_000_000n },
      ];
      await log.append(known, { kind: 'link', purpose: 'split', number, steps });
    } else if (allotted === undefined) {
      await allot(known, state);
    } else if (!done.open) {
      const again = !rules.delegateApprovedOnce && state.runs > 1;
      const steps = allotted.pots.map((pot): Step => ({ kind: 'open', pot, again }));
      await log.append(known, { kind: 'link', purpose: 'open', number, steps });
    } else if (progress.some(({ next }, index) => next < (allotted.pots[index]?.to ?? 0))) {
      await pay(known, state, allotted);
    } else if (!done.close && rules.delegateApprovedOnce) {
      const steps = allotted.pots.map(
        ({ address }, index): Step => ({
          kind: 'close',
          address,
          left: progress[index]?.value ?? 0n,
          rent: RENT.lamports,
        }),
      );
      await log.append(known, { kind: 'link', purpose: 'close', number, steps });
    } else {
      await log.append(known, { kind: 'closed' });
    }
  }

  return {
    step,
    stateOf: (facts: readonly Fact[]) =>
      stateOf(facts, (fact, previous) => tillOf(linkOf(fact, previous)).address),
  };
}

/** Of a token account without extensions; the same in a whole test. */
export const RENT = { lamports: 2_039_280n };

/** The batch without its first instruction. */
function unguarded([batch]: readonly Instruction[]): readonly Instruction[] {
  if (batch === undefined) throw new Error('there is no batch');
  // Three accounts and nine bytes of data, behind the batch's own byte and the instruction's two.
  const data = Buffer.concat([batch.data.subarray(0, 1), batch.data.subarray(1 + 2 + 9)]);
  return [{ ...batch, accounts: batch.accounts.slice(3), data }];
}

/** Payments and burns that the facts say to have landed, as `signature pays recipient amount` and by the till of the link. */
export interface Booked {
  readonly payments: readonly string[];
  readonly burned: ReadonlyMap<string, bigint>;
}

export function bookedIn(facts: readonly Fact[], options: DriverOptions): Booked {
  const driver = createDriver(options);
  const payments: string[] = [];
  const burned = new Map<string, bigint>();
  let amounts: readonly bigint[] = [];
  for (const [index, fact] of facts.entries()) {
    if (fact.kind === 'allotted') amounts = fact.amounts;
    if (fact.kind === 'landed') {
      const steps = driver.stateOf(facts.slice(0, index)).pending[fact.link]?.fact.steps ?? [];
      const sum = steps.reduce((total, step) => (step.kind === 'burn' ? total + step.amount : total), 0n);
      burned.set(fact.till, sum);
    }
    if (fact.kind === 'settled')
      for (let holder = fact.batch.from; holder < fact.batch.to; holder++)
        payments.push(`${fact.signature} pays ${options.holders[holder]} ${amounts[holder]}`);
  }
  return { payments, burned };
}
