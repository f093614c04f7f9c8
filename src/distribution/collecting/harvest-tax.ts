/**
 * Collects the withheld tax of a token into the wallet's own account: harvests it from the holders' accounts to the
 * mint, then withdraws it from the mint. Neither transaction can move the same tax twice, so nothing is recorded
 * before it is sent. The next run collects the rest.
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

/** Accounts per harvest transaction. */
export const ACCOUNTS_PER_HARVEST = 60;
/** Maximum number of concurrent harvest transactions. */
const WAVE = 24;
/**
 * Minimum compute units per account, above the real use. If a simulation reports too few units, all concurrent
 * harvests would fail.
 */
const MIN_UNITS_PER_ACCOUNT = 2_000;
/** Maximum signatures for a transaction that does not land; after that its accounts are left to the next run. */
const MAX_SIGNATURES = 3;
const WITHDRAWING = waitFor('finality', 'The withdrawal of the harvested tax is not final yet.');

interface HarvestBatch {
  readonly from: number;
  readonly to: number;
  readonly signed: SignedTransaction;
  readonly signatures: number;
}

export type Harvest = ReturnType<typeof newHarvest>;

export function newHarvest() {
  return {
    /** Index of the first account without a signed transaction. */
    next: 0,
    /** Compute units of a full transaction; undefined before the first simulation. */
    units: undefined as number | undefined,
    wave: [] as readonly HarvestBatch[],
    harvested: 0,
    /** Transactions that failed or never landed; a later run harvests their accounts. */
    givenUp: 0,
    fees: 0n,
    failures: new Map() as Failures,
    /** The newest signed withdrawal. */
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

/** Performs one step; resolves with the balance of the wallet's account once everything is final, until then with a wait. */
export async function continueHarvest(
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
    return waitFor('finality', `Tax is being harvested; ${left} accounts remain.`);
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
    } else if (batch.signatures < MAX_SIGNATURES) {
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
  // The compute unit limit may have been too low.
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
  // The first transaction is a full one, so it needs the most units.
  if (harvest.units === undefined) {
    const { unitsConsumed } = await sender.simulate(instructions, distributor.address);
    harvest.units = Math.max(unitsConsumed, MIN_UNITS_PER_ACCOUNT * accounts.length);
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
      return waitFor('chain-unavailable', 'The chain node does not show the balance after the withdrawal.');
    // Nothing spends these tokens before the split. The next run collects tokens received since.
    if (shown.amount < balance)
      return waitFor(
        'chain-unavailable',
        `The chain node shows ${shown.amount} base units in ${tokens}, fewer than the ${balance} after the withdrawal.`,
      );
    harvest.fees += under.fee;
    return { balance, slot: BigInt(landed.slot), withdraw: [under.signature] };
  }
  const height = (await chain.tip('confirmed')).blockHeight;
  if (under !== undefined && status?.error === undefined && height <= under.lastValidBlockHeight) {
    if (status === undefined) await sender.send(under);
    return WITHDRAWING;
  }
  // The withdrawal landed although it seemed expired. A second one is harmless: it withdraws only the tax that is
  // still in the mint.
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
