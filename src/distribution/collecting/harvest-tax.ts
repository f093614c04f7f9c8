/**
 * Brings the withheld tax of a token into the wallet's own account: from the holders' accounts into the mint, from the
 * mint into the account. Anybody may do the first, and doing either again moves nothing twice: so nothing is recorded
 * before it is sent, and what is left behind is collected by the next run.
 */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import { type Instruction, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';
import type { RecentBlockhash } from '../../kernel/ports/chain.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { EngineParts } from '../engine-parts.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { type Failures, pauseLeft, recordFailure } from '../sending/failures.ts';
import type { SignedTransaction } from '../sending/sender.ts';
import type { OwnerCollector } from './scanned-owners.ts';

/** Accounts of a transaction. */
export const ACCOUNTS_PER_HARVEST = 60;
/** Transactions that are under way at a time. */
const WAVE = 24;
/** More than the token program uses: a simulation that reports fewer would make a whole wave fail. */
const LEAST_UNITS_PER_ACCOUNT = 2_000;
/** A transaction that nobody has seen is signed again so often, and then left to the next run. */
const MOST_SIGNATURES = 3;
const WITHDRAWING = waitFor('finality', 'The withdrawal of the harvested tax is on its way to being final.');

interface HarvestBatch {
  readonly from: number;
  readonly to: number;
  readonly signed: SignedTransaction;
  readonly signatures: number;
}

export type Harvest = ReturnType<typeof beginHarvest>;

export function beginHarvest() {
  return {
    /** The first account that no transaction was signed for. */
    next: 0,
    /** Units of a full transaction; undefined until one was simulated. */
    units: undefined as number | undefined,
    wave: [] as readonly HarvestBatch[],
    harvested: 0,
    /** Transactions that failed, or that did not land however often they were signed: a later run harvests what they left. */
    givenUp: 0,
    fees: 0n,
    failures: new Map() as Failures,
    /** The newest withdrawal that was signed. */
    withdraw: undefined as SignedTransaction | undefined,
  };
}

export interface Collected {
  /** Base units in the wallet's own account. */
  readonly balance: bigint;
  readonly slot: bigint;
  readonly withdraw: readonly string[];
}

type HarvestParts = Pick<EngineParts, 'chain' | 'sender' | 'clock'>;

const [HARVEST, WITHDRAWAL] = ['harvest', 'withdrawal'];

/** One step; resolves with what the wallet's account holds when everything is final, else with what is waited for. */
export async function harvestOn(
  parts: HarvestParts,
  token: DistributedToken,
  collector: Pick<OwnerCollector, 'withWithheld' | 'addressesWithWithheld'>,
  harvest: Harvest,
): Promise<Collected | Wait> {
  await settleWave(parts, token, collector, harvest);
  if (harvest.wave.length === 0 && harvest.next < collector.withWithheld) {
    const pause = pauseLeft(harvest.failures, HARVEST, parts.clock.now().getTime());
    if (pause !== undefined) return pause;
    await sendWave(parts, token, collector, harvest);
  }
  if (harvest.wave.length > 0) {
    const left = collector.withWithheld - harvest.next;
    return waitFor('finality', `Tax is being harvested; ${left} accounts are still to come.`);
  }
  return withdraw(parts, token, harvest);
}

async function settleWave(
  parts: HarvestParts,
  token: DistributedToken,
  collector: Pick<OwnerCollector, 'addressesWithWithheld'>,
  harvest: Harvest,
): Promise<void> {
  if (harvest.wave.length === 0) return;
  const { chain, sender } = parts;
  const statuses = await chain.statuses(harvest.wave.map(({ signed }) => signed.signature));
  const height = (await chain.tip('confirmed')).blockHeight;
  const left: HarvestBatch[] = [];
  let blockhash: RecentBlockhash | undefined;
  let failure: { readonly signature: string; readonly error: string } | undefined;
  for (const [index, batch] of harvest.wave.entries()) {
    const status = statuses[index];
    if (status !== undefined) {
      harvest.fees += batch.signed.fee;
      if (status.error === undefined) harvest.harvested += batch.to - batch.from;
      else {
        harvest.givenUp += 1;
        failure ??= { signature: batch.signed.signature, error: status.error };
      }
    } else if (height <= batch.signed.lastValidBlockHeight) {
      await sender.send(batch.signed);
      left.push(batch);
    } else if (batch.signatures < MOST_SIGNATURES) {
      const addresses = collector.addressesWithWithheld(batch.from, batch.to);
      blockhash ??= await chain.recentBlockhash();
      const signed = await sign(parts, token, addresses, harvest, blockhash);
      await sender.send(signed);
      left.push({ ...batch, signed, signatures: batch.signatures + 1 });
    } else {
      harvest.givenUp += 1;
    }
  }
  harvest.wave = left;
  if (failure === undefined) return;
  recordFailure(harvest.failures, HARVEST, { ...failure, at: parts.clock.now().getTime() });
  // The limit may have been too low.
  harvest.units = undefined;
}

async function sendWave(
  parts: HarvestParts,
  token: DistributedToken,
  collector: Pick<OwnerCollector, 'withWithheld' | 'addressesWithWithheld'>,
  harvest: Harvest,
): Promise<void> {
  await parts.sender.price([token.mint]);
  const wave: HarvestBatch[] = [];
  const blockhash = await parts.chain.recentBlockhash();
  while (wave.length < WAVE && harvest.next < collector.withWithheld) {
    const from = harvest.next;
    const to = Math.min(collector.withWithheld, from + ACCOUNTS_PER_HARVEST);
    const signed = await sign(parts, token, collector.addressesWithWithheld(from, to), harvest, blockhash);
    await parts.sender.send(signed);
    wave.push({ from, to, signed, signatures: 1 });
    harvest.next = to;
  }
  harvest.wave = wave;
}

async function sign(
  { sender }: HarvestParts,
  { mint, distributor }: DistributedToken,
  accounts: readonly string[],
  harvest: Harvest,
  blockhash: RecentBlockhash,
): Promise<SignedTransaction> {
  const instructions = [
    tokenInstruction(createHarvestWithheldTokensToMintInstruction, mint, accounts, TOKEN_2022_PROGRAM),
  ];
  // The first is a full one, so it needs the most.
  if (harvest.units === undefined) {
    const { unitsConsumed } = await sender.simulate(instructions, distributor.address);
    harvest.units = Math.max(unitsConsumed, LEAST_UNITS_PER_ACCOUNT * accounts.length);
  }
  return sender.sign(instructions, [distributor], harvest.units, blockhash);
}

async function withdraw(
  { chain, sender, clock }: HarvestParts,
  token: DistributedToken,
  harvest: Harvest,
): Promise<Collected | Wait> {
  const { wallet, tokens, distributor } = token;
  const under = harvest.withdraw;
  const [status] = under === undefined ? [] : await chain.statuses([under.signature]);
  if (under !== undefined && status?.error === undefined && status?.commitment === 'finalized') {
    const { accounts } = await chain.accountsAt([tokens], 'finalized', {
      atLeastSlot: BigInt(status.slot),
    });
    const shown = accounts[0] && readTokenAccount(accounts[0]);
    if (shown === undefined)
      return waitFor('chain-unavailable', "The chain node does not show the wallet's account of the token.");
    const landed = await chain.transaction(under.signature, 'finalized');
    const balance = landed?.tokensAfter?.get(tokens);
    if (landed === undefined || balance === undefined)
      return waitFor('chain-unavailable', 'The chain node does not show what the withdrawal left.');
    // Nothing takes tokens out before the split. What strangers gave since is collected by the next run.
    if (shown.amount < balance)
      return waitFor(
        'chain-unavailable',
        `The chain node shows ${shown.amount} base units in ${tokens}, and ${balance} right behind the withdrawal.`,
      );
    harvest.fees += under.fee;
    return { balance, slot: BigInt(landed.slot), withdraw: [under.signature] };
  }
  const height = (await chain.tip('confirmed')).blockHeight;
  if (under !== undefined && status?.error === undefined && height <= under.lastValidBlockHeight) {
    if (status === undefined) await sender.send(under);
    return WITHDRAWING;
  }
  // A status that comes late belongs to a withdrawal that moved what this one would move: both may land.
  if (status !== undefined && status.error === undefined) return WITHDRAWING;
  if (under !== undefined && status?.error !== undefined) {
    const { signature } = under;
    recordFailure(harvest.failures, WITHDRAWAL, {
      signature,
      error: status.error,
      at: clock.now().getTime(),
    });
  }
  const pause = pauseLeft(harvest.failures, WITHDRAWAL, clock.now().getTime());
  if (pause !== undefined) return pause;
  const instructions = withdrawal(token, distributor.address);
  const simulation = await sender.simulate(instructions, distributor.address);
  if (simulation.error !== undefined)
    return explainRefusal(simulation.error, { instructions, token, what: 'the withdrawal' });
  const signed = await sender.sign(
    instructions,
    [distributor, wallet],
    simulation.unitsConsumed,
    await chain.recentBlockhash(),
  );
  harvest.withdraw = signed;
  await sender.send(signed);
  return WITHDRAWING;
}

/** Withdraws the tax withheld in the mint into the wallet's own account, which is created if absent. */
export function withdrawal(
  { mint, tokens, wallet: { address } }: DistributedToken,
  payer: string,
): readonly Instruction[] {
  return [
    tokenInstruction(
      createAssociatedTokenAccountIdempotentInstruction,
      payer,
      tokens,
      address,
      mint,
      TOKEN_2022_PROGRAM,
    ),
    tokenInstruction(
      createWithdrawWithheldTokensFromMintInstruction,
      mint,
      tokens,
      address,
      [],
      TOKEN_2022_PROGRAM,
    ),
  ];
}
