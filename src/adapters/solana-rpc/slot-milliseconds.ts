/** Measures how long a node's slots take: from its performance samples, else from the times of two final blocks. */
import { NodeRefusal } from './json-rpc.ts';

export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A sample covers a minute. */
const SAMPLES = 5;
/** Slots between the two blocks. */
const APART = 500;
/** Slots in a row without a block that are passed over. */
const MOST_SKIPPED = 8;
/** Block times are whole seconds. */
const SHORTEST_SECONDS = 20;

/** Undefined while the chain is too young to tell. */
export async function slotMillisecondsOf(rpc: Rpc): Promise<number | undefined> {
  return (await fromSamples(rpc)) ?? (await fromBlockTimes(rpc));
}

async function fromSamples(rpc: Rpc): Promise<number | undefined> {
  const answer = await rpc('getRecentPerformanceSamples', [SAMPLES]).catch(unlessTold);
  if (!Array.isArray(answer)) return undefined;
  const samples = answer.filter(isSample);
  const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0);
  const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
  return slots > 0 && seconds > 0 ? (seconds * 1_000) / slots : undefined;
}

async function fromBlockTimes(rpc: Rpc): Promise<number | undefined> {
  const slot = await rpc('getSlot', [{ commitment: 'finalized' }]);
  if (typeof slot !== 'number' || slot <= APART) return undefined;
  const [late, early] = await Promise.all([timedBlock(rpc, slot), timedBlock(rpc, slot - APART)]);
  if (late === undefined || early === undefined) return undefined;
  const seconds = late.time - early.time;
  return seconds < SHORTEST_SECONDS ? undefined : (seconds * 1_000) / (late.slot - early.slot);
}

/** The latest block up to the slot that has a time. */
async function timedBlock(rpc: Rpc, slot: number) {
  for (let at = slot; at > slot - MOST_SKIPPED; at--) {
    const time = await rpc('getBlockTime', [at]).catch(unlessTold);
    if (typeof time === 'number') return { slot: at, time };
  }
  return undefined;
}

/** The node answered that it has no such method or no such block. */
function unlessTold(error: unknown): undefined {
  if (error instanceof NodeRefusal) return undefined;
  throw error;
}

function isSample(value: unknown): value is { readonly numSlots: number; readonly samplePeriodSecs: number } {
  const { numSlots, samplePeriodSecs } = { ...(value as { numSlots?: unknown; samplePeriodSecs?: unknown }) };
  return typeof numSlots === 'number' && typeof samplePeriodSecs === 'number';
}
