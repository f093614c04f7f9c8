/**
 * Reads the accounts of payees: 100 per call, 4 calls concurrently. An existing account is read once, a missing one
 * three times. A verdict that would leave an owner unpaid stays open until it is confirmed. Responses are cached, so
 * a failing node costs only the calls that failed.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../kernel/ports/chain.ts';
import { type Absences, failureOfNode, isConfirmed, RETRYABLE } from '../absences.ts';
import type { EngineParts } from '../engine-parts.ts';
import { judgeOwner, type OwnerVerdict, VERDICTS } from './judge-owner.ts';

const ACCOUNTS_PER_CALL = 100;
const CONCURRENT_CALLS = 4;
/**
 * Number of reads without the account after which it counts as absent. A node may omit accounts, so the reads use
 * another node if possible.
 */
const READS_UNTIL_ABSENT = 3;

/** Verdicts by ledger row. Row numbers are the same in each allotment of a run. */
export type PayeeVerdicts = ReturnType<typeof createPayeeVerdicts>;

export function createPayeeVerdicts() {
  /** 0: not read yet; otherwise 1 + index into `VERDICTS`. */
  let verdicts = new Uint8Array(0);
  /** Number of reads without the account. */
  let absences = new Uint8Array(0);
  let since: bigint | undefined;
  const open = createOpenRows((row, verdict) => {
    verdicts[row] = VERDICTS.indexOf(verdict) + 1;
    if (verdict === 'absent') absences[row] = READS_UNTIL_ABSENT;
  });

  const verdictOf = (row: number) => VERDICTS[(verdicts[row] ?? 0) - 1];
  const isSettled = (row: number) =>
    verdictOf(row) === 'absent' ? (absences[row] ?? 0) >= READS_UNTIL_ABSENT : verdictOf(row) !== undefined;

  function grow(size: number): void {
    if (verdicts.length >= size) return;
    const [before, absentBefore] = [verdicts, absences];
    verdicts = new Uint8Array(size);
    verdicts.set(before);
    absences = new Uint8Array(size);
    absences.set(absentBefore);
  }

  return {
    /** Earliest slot at which an account was read; undefined before the first read. */
    get since() {
      return since;
    },
    /** Undefined if the row was not read. Verdicts of open rows may still change. */
    verdictOf,
    /** Number of rows with an unconfirmed verdict; a ledger is written only if it is 0. */
    get open() {
      return open.count;
    },
    /** Reads the open rows again, and closes those whose verdict is confirmed. Rejects like `read`. */
    confirm: (parts: ConfirmingParts) => open.confirm(parts, since ?? 0n),
    /**
     * Reads the accounts of the rows whose byte in `marked` is 1. Rejects with `ChainUnavailable` if the node does not respond;
     * the next call continues with the remaining rows.
     */
    async read(
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
      for (let pass = 0; pass < READS_UNTIL_ABSENT; pass += 1) {
        const options = { atLeastSlot, ...(pass > 0 && { elsewhere: true }) };
        if (!(await readRows(chain, { ownerAt, nextFrom }, options, found))) return;
      }
    },
  };
}

interface RowsToRead {
  readonly ownerAt: (row: number) => Uint8Array;
  /** First row at or after the given row that must be read; undefined if all rows were read. */
  readonly nextFrom: (place: number) => number | undefined;
}

/** Reads each of these rows once, with concurrent calls; true if any row was read. */
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
      // Request no data: it is not needed and may be large (a sysvar has 131 kB).
      const { slot, accounts } = await chain
        .accountsAt(
          rows.map((row) => addressOf(ownerAt(row))),
          'finalized',
          { ...options, maxData: 0 },
        )
        .catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      for (const [index, row] of rows.entries()) found(row, judgeOwner(accounts[index]), slot);
    }
  }

  const calls = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS }, readOn));
  for (const call of calls) if (call.status === 'rejected') throw call.reason;
  return hasRead;
}

/** `witness`: second node, which must agree if configured. */
interface ConfirmingParts extends Pick<EngineParts, 'clock'> {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
}

interface OpenRow {
  readonly row: number;
  readonly owner: string;
  /** Number of reads to confirm the verdict. */
  reads: number;
}

/** Maximum reads per verdict; if the nodes' responses still differ, the owner's earnings stay owed. */
const MAX_READS = 100;
const UNDECIDED: OwnerVerdict = 'program-owned';

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
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized', {
      atLeastSlot,
      maxData: 0,
      elsewhere: true,
    });
    const at = clock.now().getTime();
    const repeated = rows.flatMap((each, index) => {
      each.reads += 1;
      const verdict = judgeOwner(accounts[index]);
      found(each.row, verdict);
      const standard = forfeitsShare(verdict) ? undefined : RETRYABLE;
      const isRepeated = isConfirmed(unconfirmed, String(each.row), { slot, at, verdict }, standard);
      return isRepeated ? [{ ...each, verdict }] : [];
    });
    const seconded = await verdictsOfWitness(witness, repeated, slot);
    for (const [index, { row, verdict }] of repeated.entries())
      if (seconded === undefined || seconded[index] === verdict) close(row, verdict);
    for (const { row, reads } of rows) if (open.has(row) && reads >= MAX_READS) close(row, UNDECIDED);
  }

  return {
    get count() {
      return open.size;
    },
    add(row: number, owner: string) {
      open.set(row, { row, owner, reads: 0 });
    },
    /** Reads each open row as finalized, and closes confirmed rows. Rejects if the node does not respond. */
    async confirm(parts: ConfirmingParts, atLeastSlot: bigint) {
      const rows = [...open.values()];
      for (let from = 0; from < rows.length; from += ACCOUNTS_PER_CALL)
        await confirmSome(parts, rows.slice(from, from + ACCOUNTS_PER_CALL), atLeastSlot);
    },
  };
}

/** True if the share is permanently divided among other holders. Any other verdict leaves it owed. */
function forfeitsShare(verdict: OwnerVerdict): boolean {
  return verdict === 'program' || verdict === 'sysvar';
}

/** Verdicts by the second node; empty if it does not respond. Undefined without a second node. */
async function verdictsOfWitness(
  witness: ConfirmingParts['witness'],
  rows: readonly Pick<OpenRow, 'owner'>[],
  atLeastSlot: bigint,
): Promise<readonly OwnerVerdict[] | undefined> {
  if (witness === undefined || rows.length === 0) return undefined;
  try {
    const addresses = rows.map(({ owner }) => owner);
    const { accounts } = await witness.accountsAt(addresses, 'finalized', { atLeastSlot, maxData: 0 });
    return accounts.map(judgeOwner);
  } catch (error) {
    failureOfNode(error);
    return [];
  }
}
