/**
 * Looks at the accounts of those who would be paid, a hundred in a call and some calls at once. Each is looked at once: what a
 * call has answered is kept, so that a node that fails in between costs only the calls that it did not answer.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../ports/chain.ts';
import { judgeOwner, type OwnerVerdict } from './judge-owner.ts';

const VERDICTS = ['absent', 'wallet', 'program', 'sysvar', 'program-owned'] as const;
const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;

/** By the places of the ledger's rows, which are the same whenever a run is allotted again. */
export interface PayeeLooks {
  /** The first slot that showed an account; undefined while none was looked at. */
  readonly since: bigint | undefined;
  /** Undefined where it has not been looked at. */
  verdictOf(row: number): OwnerVerdict | undefined;
  /**
   * Looks at the rows that are marked with 1. Rejects with `ChainUnavailable` when a call was not answered; asked again, it
   * looks at the rest.
   */
  look(
    chain: Pick<Chain, 'accountsAt'>,
    ownerAt: (row: number) => Uint8Array,
    marked: Uint8Array,
    atLeastSlot: bigint,
  ): Promise<void>;
}

export function createPayeeLooks(): PayeeLooks {
  /** 0: not looked at; otherwise the place in `VERDICTS` and one. */
  let verdicts = new Uint8Array(0);
  let since: bigint | undefined;

  const verdictOf = (row: number) => VERDICTS[(verdicts[row] ?? 0) - 1];

  return {
    get since() {
      return since;
    },
    verdictOf,
    async look(chain, ownerAt, marked, atLeastSlot) {
      if (verdicts.length < marked.length) {
        const larger = new Uint8Array(marked.length);
        larger.set(verdicts);
        verdicts = larger;
      }
      let next = 0;
      let hasFailed = false;

      function nextRows(): readonly number[] {
        const rows: number[] = [];
        for (; next < marked.length && rows.length < ACCOUNTS_PER_CALL; next++)
          if (marked[next] === 1 && verdicts[next] === 0) rows.push(next);
        return rows;
      }

      async function lookOn(): Promise<void> {
        for (let rows = nextRows(); rows.length > 0 && !hasFailed; rows = nextRows()) {
          // Nothing is read of what is in an account, however large it is: a sysvar has 131 kB.
          const { slot, accounts } = await chain
            .accountsAt(
              rows.map((row) => addressOf(ownerAt(row))),
              'confirmed',
              { atLeastSlot, mostData: 0 },
            )
            .catch((error: unknown) => {
              hasFailed = true;
              throw error;
            });
          for (const [index, row] of rows.entries())
            verdicts[row] = VERDICTS.indexOf(judgeOwner(accounts[index])) + 1;
          if (since === undefined || slot < since) since = slot;
        }
      }

      const calls = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, lookOn));
      for (const call of calls) if (call.status === 'rejected') throw call.reason;
    },
  };
}
