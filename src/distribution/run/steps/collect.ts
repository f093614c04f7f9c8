/** Collects the withheld tax into the distribution wallet's own account. */
import { TaxCollected } from '../../../streams/distribution-run.ts';
import { reservedTokens } from '../../amounts/split-tax.ts';
import { type Collected, continueHarvest, newHarvest } from '../../collecting/harvest-tax.ts';
import { AGAIN, type Decision, halts, recordsOfRun, waits } from '../../decision.ts';
import { failuresIn } from '../../sending/failures.ts';
import type { RunView, StepAt } from '../../view.ts';

interface TaxFacts extends Collected {
  /** Number of harvested accounts. */
  readonly harvested: number;
  /** Lamports. */
  readonly fees: bigint;
  readonly now: Date;
}

export async function collectTax({ parts, view, memory }: StepAt): Promise<TaxFacts | Decision> {
  const { clock, counts } = parts;
  if (memory.scan === undefined) return AGAIN;
  memory.harvest ??= newHarvest();
  const { givenUp, failures } = memory.harvest;
  const failed = failuresIn(failures);
  const found = await continueHarvest(parts, view.token, memory.scan.collector, memory.harvest);
  for (let each = failed; each < failuresIn(failures); each++) counts.transaction('withdraw', 'failed');
  for (let each = givenUp; each < memory.harvest.givenUp; each++) counts.transaction('harvest', 'refused');
  if ('code' in found) return waits(found);
  const { harvested, fees } = memory.harvest;
  return { ...found, harvested, fees, now: clock.now() };
}

export function decideCollect(
  { open, token }: Pick<RunView, 'open' | 'token'>,
  { balance, slot, withdraw, harvested, fees, now }: TaxFacts,
): Decision {
  const reserved = reservedTokens(open.carried);
  if (balance < reserved)
    return halts(
      'BOOKS_DISAGREE',
      `The wallet's account ${token.tokens} holds ${balance} base units at slot ${slot}, but ${reserved} are kept, owed or undivided.`,
    );
  return recordsOfRun(
    TaxCollected({
      tokenId: open.tokenId,
      runId: open.runId,
      collected: (balance - reserved).toString(),
      balance: balance.toString(),
      slot: slot.toString(),
      harvested,
      withdraw: [...withdraw],
      fees: fees.toString(),
      at: now.toISOString(),
    }),
  );
}
