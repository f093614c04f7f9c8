/**
 * Reads the accounts of those who would be paid, a hundred in a call and some calls concurrently. A wallet is read once, a missing
 * account a few times. A verdict that keeps an owner from being paid is open until it is confirmed. Answers are cached, so that a
 * node that fails in between costs only the calls that it did not answer.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../kernel/ports/chain.ts';
import { type Absences, isConfirmed, PUT_OFF, silenceIn } from '../absences.ts';
import type { EngineParts } from '../engine-parts.ts';
import { judgeOwner, type OwnerVerdict, VERDICTS } from './judge-owner.ts';

const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
/** A node may leave an account out of an answer that is right otherwise: so often it must be missing, elsewhere where that can be. */
const LOOKS_UNTIL_ABSENT = 3;

/** Indexed by ledger row. Rows are the same each time a run is allotted. */
export type PayeeLooks = ReturnType<typeof createPayeeLooks>;

export function createPayeeLooks() {
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
    /** The first slot that showed an account; undefined while none was looked at. */
    get since() {
      return since;
    },
    /** Undefined where it has not been looked at. While rows are open, theirs may still change. */
    verdictOf,
    /** Rows whose verdict is not confirmed yet: no ledger is written by it. */
    get open() {
      return open.count;
    },
    /** Reads the open rows once more, and closes those whose verdict is confirmed. Rejects as `look` does. */
    confirm: (parts: ConfirmingParts) => open.confirm(parts, since ?? 0n),
    /**
     * Reads the accounts of the rows marked with 1. Rejects with `ChainUnavailable` if a call was not answered; the next call
     * continues with the rest.
     */
    async look(
      chain: Pick<Chain, 'accountsAt'>,
      ownerAt: (row: number) => Uint8Array,
      marked: Uint8Array,
      atLeastSlot: bigint,
    ) {
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

/** `witness`: the second node, whose agreement is needed where there is one. */
interface ConfirmingParts extends Pick<EngineParts, 'clock'> {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
}

interface OpenRow {
  readonly row: number;
  readonly owner: string;
  /** So often it was read to confirm its verdict. */
  reads: number;
}

/** If the answers of nodes about an owner still differ after so many reads, the owner's earnings stay owed. */
const MOST_READS = 100;
const IN_DOUBT: OwnerVerdict = 'program-owned';

/** `found` is called with each verdict; the last call counts. */
function createOpenRows(found: (row: number, verdict: OwnerVerdict) => void) {
  const open = new Map<number, OpenRow>();
  const unconfirmed: Absences = new Map();

  function close(row: number, verdict: OwnerVerdict): void {
    found(row, verdict);
    open.delete(row);
    unconfirmed.delete(String(row));
  }

  async function confirmSome(
    { chain, witness, clock }: ConfirmingParts,
    rows: readonly OpenRow[],
    atLeastSlot: bigint,
  ): Promise<void> {
    const addresses = rows.map(({ owner }) => owner);
    const options = { atLeastSlot, mostData: 0, elsewhere: true };
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized', options);
    const at = clock.now().getTime();
    const repeated = rows.flatMap((each, index) => {
      each.reads += 1;
      const verdict = judgeOwner(accounts[index]);
      found(each.row, verdict);
      const standard = takesShare(verdict) ? undefined : PUT_OFF;
      const isRepeated = isConfirmed(unconfirmed, String(each.row), { slot, at, verdict }, standard);
      return isRepeated ? [{ ...each, verdict }] : [];
    });
    const seconded = await secondedBy(witness, repeated, slot);
    for (const [index, { row, verdict }] of repeated.entries())
      if (seconded === undefined || seconded[index] === verdict) close(row, verdict);
    for (const { row, reads } of rows) if (open.has(row) && reads >= MOST_READS) close(row, IN_DOUBT);
  }

  return {
    get count() {
      return open.size;
    },
    add(row: number, owner: string) {
      open.set(row, { row, owner, reads: 0 });
    },
    /** Reads each once more as finalized, and closes those whose verdict is confirmed. Rejects when the node does not answer. */
    async confirm(parts: ConfirmingParts, atLeastSlot: bigint) {
      const rows = [...open.values()];
      for (let from = 0; from < rows.length; from += ACCOUNTS_PER_CALL)
        await confirmSome(parts, rows.slice(from, from + ACCOUNTS_PER_CALL), atLeastSlot);
    },
  };
}

/** True if the share is divided among others permanently. Any other verdict leaves it owed. */
function takesShare(verdict: OwnerVerdict): boolean {
  return verdict === 'program' || verdict === 'sysvar';
}

/** Verdicts by the second node's answer; none while it does not answer. Undefined without a second node. */
async function secondedBy(
  witness: ConfirmingParts['witness'],
  rows: readonly Pick<OpenRow, 'owner'>[],
  atLeastSlot: bigint,
): Promise<readonly OwnerVerdict[] | undefined> {
  if (witness === undefined || rows.length === 0) return undefined;
  try {
    const addresses = rows.map(({ owner }) => owner);
    const { accounts } = await witness.accountsAt(addresses, 'finalized', { atLeastSlot, mostData: 0 });
    return accounts.map(judgeOwner);
  } catch (error) {
    silenceIn(error);
    return [];
  }
}
