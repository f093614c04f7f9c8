/**
 * Reads the accounts of those who would be paid, a hundred in a call and some calls concurrently. A wallet is read once, a missing
 * account a few times. A verdict that keeps an owner from being paid is open until it is confirmed. Answers are cached, so that a
 * node that fails in between costs only the calls that it did not answer.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../kernel/ports/chain.ts';
import { type ConfirmingParts, createOpenRows } from './confirm-payees.ts';
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
  /** Undefined where it has not been looked at. While rows are open, theirs may still change. */
  verdictOf(row: number): OwnerVerdict | undefined;
  /** Rows whose verdict is not confirmed yet: no ledger is written by it. */
  readonly open: number;
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
  /** Reads the open rows once more, and closes those whose verdict is confirmed. Rejects as `look` does. */
  confirm(parts: ConfirmingParts): Promise<void>;
}

export function createPayeeLooks(): PayeeLooks {
  /** 0: not looked at; otherwise the place in `VERDICTS` and one. */
  let verdicts = new Uint8Array(0);
  /** Looks that have shown no account, one after another. */
  let absences = new Uint8Array(0);
  let since: bigint | undefined;
  const open = createOpenRows((row, verdict) => {
    verdicts[row] = VERDICTS.indexOf(verdict) + 1;
    if (verdict === 'absent') absences[row] = LOOKS_UNTIL_ABSENT;
  });

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
    get open() {
      return open.count;
    },
    confirm: (parts) => open.confirm(parts, since ?? 0n),
    async look(chain, ownerAt, marked, atLeastSlot) {
      grow(marked.length);
      const found = (row: number, verdict: OwnerVerdict, slot: bigint) => {
        verdicts[row] = VERDICTS.indexOf(verdict) + 1;
        if (verdict === 'absent') absences[row] = (absences[row] ?? 0) + 1;
        else if (verdict !== 'wallet') open.add(row, addressOf(ownerAt(row)));
        if (since === undefined || slot < since) since = slot;
      };
      const nextFrom = (place: number) => {
        for (let row = place; row < marked.length; row++)
          if (marked[row] === 1 && !isSettled(row)) return row;
        return undefined;
      };
      for (let pass = 0; pass < LOOKS_UNTIL_ABSENT; pass += 1) {
        const options = { atLeastSlot, ...(pass > 0 && { elsewhere: true }) };
        if (!(await readRows(chain, { ownerAt, nextFrom }, options, found))) return;
      }
    },
  };
}

interface RowsToRead {
  readonly ownerAt: (row: number) => Uint8Array;
  /** The row at this place, or the next one that is to be read; undefined behind the last. */
  readonly nextFrom: (place: number) => number | undefined;
}

/** Reads all of these rows once, some calls concurrently; true if there was one. */
async function readRows(
  chain: Pick<Chain, 'accountsAt'>,
  { ownerAt, nextFrom }: RowsToRead,
  options: { readonly atLeastSlot: bigint; readonly elsewhere?: boolean },
  found: (row: number, verdict: OwnerVerdict, slot: bigint) => void,
): Promise<boolean> {
  let next = 0;
  let hasRead = false;
  let hasFailed = false;

  function nextRows(): readonly number[] {
    const rows: number[] = [];
    while (rows.length < ACCOUNTS_PER_CALL) {
      const row = nextFrom(next);
      if (row === undefined) break;
      rows.push(row);
      next = row + 1;
    }
    return rows;
  }

  async function readOn(): Promise<void> {
    for (let rows = nextRows(); rows.length > 0 && !hasFailed; rows = nextRows()) {
      hasRead = true;
      // Nothing is read of what is in an account, however large it is: a sysvar has 131 kB.
      const { slot, accounts } = await chain
        .accountsAt(
          rows.map((row) => addressOf(ownerAt(row))),
          'finalized',
          { ...options, mostData: 0 },
        )
        .catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      for (const [index, row] of rows.entries()) found(row, judgeOwner(accounts[index]), slot);
    }
  }

  const calls = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, readOn));
  for (const call of calls) if (call.status === 'rejected') throw call.reason;
  return hasRead;
}
