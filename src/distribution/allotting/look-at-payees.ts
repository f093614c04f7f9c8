/**
 * Reads the accounts of those who would be paid, a hundred in a call and some calls concurrently. A wallet is read once, a missing
 * account a few times. A verdict that keeps an owner from being paid is open until it is confirmed. Answers are cached, so that a
 * node that fails in between costs only the calls that it did not answer.
 */
import { addressOf } from 'levy-solana-wire';
import type { Chain } from '../../kernel/ports/chain.ts';
import { type Absences, isConfirmed, PUT_OFF } from '../absences.ts';
import { silenceIn } from '../node-silence.ts';
import { judgeOwner, type OwnerVerdict } from './judge-owner.ts';

const VERDICTS = ['absent', 'wallet', 'program', 'sysvar', 'program-owned'] as const;
const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
/** A node may leave an account out of an answer that is right otherwise: so often it must be missing, elsewhere where that can be. */
const LOOKS_UNTIL_ABSENT = 3;
/** An owner of whom the nodes show no steady picture in so many reads is in doubt: what it earns stays owed. */
const MOST_READS = 100;
const IN_DOUBT: OwnerVerdict = 'program-owned';

interface ConfirmingParts {
  readonly chain: Pick<Chain, 'accountsAt'>;
  /** The second node, whose agreement is needed where there is one. */
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

interface OpenRow {
  readonly row: number;
  readonly owner: string;
  /** So often it was read to confirm its verdict. */
  reads: number;
}

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
  const open = new Map<number, OpenRow>();
  const unconfirmed: Absences = new Map();

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
      return open.size;
    },
    async confirm(parts) {
      const rows = [...open.values()];
      for (let from = 0; from < rows.length; from += ACCOUNTS_PER_CALL)
        await confirmSome(parts, rows.slice(from, from + ACCOUNTS_PER_CALL));
    },
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

  function close(row: number, verdict: OwnerVerdict): void {
    verdicts[row] = VERDICTS.indexOf(verdict) + 1;
    if (verdict === 'absent') absences[row] = LOOKS_UNTIL_ABSENT;
    open.delete(row);
    unconfirmed.delete(String(row));
  }

  async function confirmSome(
    { chain, witness, now }: ConfirmingParts,
    rows: readonly OpenRow[],
  ): Promise<void> {
    const addresses = rows.map(({ owner }) => owner);
    const options = { mostData: 0, ...(since === undefined ? {} : { atLeastSlot: since }) };
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized', {
      ...options,
      elsewhere: true,
    });
    const look = { slot, at: now() };
    const repeated = rows.flatMap((each, index) => {
      const { row } = each;
      const verdict = judgeOwner(accounts[index]);
      verdicts[row] = VERDICTS.indexOf(verdict) + 1;
      const isRepeated = isConfirmed(
        unconfirmed,
        String(row),
        { ...look, verdict },
        takesShare(verdict) ? undefined : PUT_OFF,
      );
      each.reads += 1;
      return isRepeated ? [{ ...each, verdict }] : [];
    });
    const seconded =
      repeated.length === 0
        ? undefined
        : await secondedBy(
            witness,
            repeated.map(({ owner }) => owner),
            slot,
          );
    for (const [index, { row, verdict }] of repeated.entries())
      if (seconded === undefined || seconded[index] === verdict) close(row, verdict);
    for (const { row, reads } of rows) if (open.has(row) && reads >= MOST_READS) close(row, IN_DOUBT);
  }

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
            'finalized',
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
          else if (verdict !== 'wallet') open.set(row, { row, owner: addressOf(ownerAt(row)), reads: 0 });
        }
        if (since === undefined || slot < since) since = slot;
      }
    }

    const calls = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, lookOn));
    for (const call of calls) if (call.status === 'rejected') throw call.reason;
    return hasLooked;
  }
}

/** Whether the share goes to others for good. Any other verdict leaves it owed. */
function takesShare(verdict: OwnerVerdict): boolean {
  return verdict === 'program' || verdict === 'sysvar';
}

/** Verdicts by the second node's answer; none agrees while it does not answer. Undefined without a second node. */
async function secondedBy(
  witness: ConfirmingParts['witness'],
  addresses: readonly string[],
  atLeastSlot: bigint,
): Promise<readonly OwnerVerdict[] | undefined> {
  if (witness === undefined) return undefined;
  try {
    const { accounts } = await witness.accountsAt(addresses, 'finalized', { atLeastSlot, mostData: 0 });
    return accounts.map(judgeOwner);
  } catch (error) {
    silenceIn(error);
    return [];
  }
}
