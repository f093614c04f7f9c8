/**
 * Looks at the accounts of those who would be paid, a hundred in a call and some calls at once. Each is looked at once, and what
 * is missing a few times: what a call has answered is kept, so that a node that fails in between costs only the calls that it did not answer.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../kernel/ports/chain.ts';
import { judgeOwner, type OwnerVerdict } from './judge-owner.ts';

const VERDICTS = ['absent', 'wallet', 'program', 'sysvar', 'program-owned'] as const;
const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
/** A node may leave an account out of an answer that is right otherwise: so often it must be missing, elsewhere where that can be. */
const LOOKS_UNTIL_ABSENT = 3;

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
  /** Looks that have shown no account, one after another. */
  let absences = new Uint8Array(0);
  let since: bigint | undefined;

  const verdictOf = (row: number) => VERDICTS[(verdicts[row] ?? 0) - 1];
  const isSettled = (row: number) =>
    verdictOf(row) === 'absent' ? (absences[row] ?? 0) >= LOOKS_UNTIL_ABSENT : verdictOf(row) !== undefined;

  function grow(size: number): void {
    if (verdicts.length >= size) return;
    const [before, absentBefore] = [verdicts, absences];
    verdicts = new Uint8Array(size);
    verdicts.set(before);
    absences = new Uint8Array(size);
    absences.set(absentBefore);
  }

  return {
    get since() {
      return since;
    },
    verdictOf,
    async look(chain, ownerAt, marked, atLeastSlot) {
      grow(marked.length);
      for (let pass = 0; pass < LOOKS_UNTIL_ABSENT; pass += 1) {
        const isLeft = await lookOnce(chain, ownerAt, marked, {
          atLeastSlot,
          ...(pass > 0 && { elsewhere: true }),
        });
        if (!isLeft) return;
      }
    },
  };

  /** True if anything was looked at. */
  async function lookOnce(
    chain: Pick<Chain, 'accountsAt'>,
    ownerAt: (row: number) => Uint8Array,
    marked: Uint8Array,
    options: { readonly atLeastSlot: bigint; readonly elsewhere?: boolean },
  ): Promise<boolean> {
    let next = 0;
    let hasLooked = false;
    let hasFailed = false;

    function nextRows(): readonly number[] {
      const rows: number[] = [];
      for (; next < marked.length && rows.length < ACCOUNTS_PER_CALL; next++)
        if (marked[next] === 1 && !isSettled(next)) rows.push(next);
      return rows;
    }

    async function lookOn(): Promise<void> {
      for (let rows = nextRows(); rows.length > 0 && !hasFailed; rows = nextRows()) {
        hasLooked = true;
        // Nothing is read of what is in an account, however large it is: a sysvar has 131 kB.
        const { slot, accounts } = await chain
          .accountsAt(
            rows.map((row) => addressOf(ownerAt(row))),
            'confirmed',
            { ...options, mostData: 0 },
          )
          .catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        for (const [index, row] of rows.entries()) {
          const verdict = judgeOwner(accounts[index]);
          verdicts[row] = VERDICTS.indexOf(verdict) + 1;
          if (verdict === 'absent') absences[row] = (absences[row] ?? 0) + 1;
        }
        if (since === undefined || slot < since) since = slot;
      }
    }

    const calls = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, lookOn));
    for (const call of calls) if (call.status === 'rejected') throw call.reason;
    return hasLooked;
  }
}
