/** Confirms verdicts that keep owners from being paid, by answers of later slots and by the second node. */
import type { Chain } from '../../kernel/ports/chain.ts';
import { type Absences, isConfirmed, PUT_OFF } from '../absences.ts';
import type { EngineParts } from '../engine-parts.ts';
import { silenceIn } from '../node-silence.ts';
import { judgeOwner, type OwnerVerdict } from './judge-owner.ts';

/** `witness`: the second node, whose agreement is needed where there is one. */
export interface ConfirmingParts extends Pick<EngineParts, 'clock'> {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
}

interface OpenRow {
  readonly row: number;
  readonly owner: string;
  /** So often it was read to confirm its verdict. */
  reads: number;
}

/** Rows of a ledger whose verdicts are not confirmed yet. */
export interface OpenRows {
  readonly count: number;
  add(row: number, owner: string): void;
  /** Reads each once more as finalized, and closes those whose verdict is confirmed. Rejects when the node does not answer. */
  confirm(parts: ConfirmingParts, atLeastSlot: bigint): Promise<void>;
}

const ACCOUNTS_PER_CALL = 100;
/** An owner of whom the nodes show no steady picture in so many reads is in doubt: what it earns stays owed. */
const MOST_READS = 100;
const IN_DOUBT: OwnerVerdict = 'program-owned';

/** `found` is called with each verdict; the last call counts. */
export function createOpenRows(found: (row: number, verdict: OwnerVerdict) => void): OpenRows {
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
    add(row, owner) {
      open.set(row, { row, owner, reads: 0 });
    },
    async confirm(parts, atLeastSlot) {
      const rows = [...open.values()];
      for (let from = 0; from < rows.length; from += ACCOUNTS_PER_CALL)
        await confirmSome(parts, rows.slice(from, from + ACCOUNTS_PER_CALL), atLeastSlot);
    },
  };
}

/** Whether the share goes to others for good. Any other verdict leaves it owed. */
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
