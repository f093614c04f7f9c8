/** Ledger files of the audited runs, checked against the SHA-256 in their names. Caches the files of two runs. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { openAllotment } from '../../../distribution/ledger/allotment-file.ts';
import { LedgerInvalid, LedgerMissing } from '../../../distribution/ledger/read-range.ts';
import { openRunLedger, type RunFiles, rangeOf } from '../../../distribution/ledger/run-ledger.ts';
import { openSettlement } from '../../../distribution/ledger/settlement-file.ts';
import { ContentDamaged } from '../../../kernel/ports/errors.ts';

export type AuditedLedgers = ReturnType<typeof createAuditedLedgers>;

/** The ledger file is missing, damaged, or does not match its SHA-256. */
export class LedgerUnreadable extends Error {
  override readonly name = 'LedgerUnreadable';
  readonly sha256: string;

  constructor(sha256: string, message: string) {
    super(message);
    this.sha256 = sha256;
  }
}

/** The file store failed; the reason is in `cause`. */
export class LedgerStoreFailed extends Error {
  override readonly name = 'LedgerStoreFailed';
}

/** Allotments and settlements of a run and its predecessor. */
const FILES_IN_MEMORY = 4;

/** `file`: returns all bytes of a file; undefined if it is missing. */
export function createAuditedLedgers(file: (sha256: string) => Promise<Uint8Array | undefined>) {
  const files = new LRUCache<string, Uint8Array>({ max: FILES_IN_MEMORY });

  async function bytesOf(sha256: string): Promise<Uint8Array> {
    const cached = files.get(sha256);
    if (cached !== undefined) return cached;
    const bytes = await file(sha256).catch((error: unknown) => {
      throw error instanceof ContentDamaged
        ? error
        : new LedgerStoreFailed(`the ledger file ${sha256} cannot be read`, { cause: error });
    });
    if (bytes === undefined) throw new LedgerMissing(sha256);
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256)
      throw new LedgerInvalid(`ledger file ${sha256} does not match its name: its SHA-256 is ${found}`);
    files.set(sha256, bytes);
    return bytes;
  }

  const blobs = {
    async read(sha256: string, offset: number, length: number) {
      return (await bytesOf(sha256)).subarray(offset, offset + length);
    },
  };

  async function reading<Opened>(sha256: string, open: () => Promise<Opened>): Promise<Opened> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof LedgerInvalid || error instanceof ContentDamaged)) throw error;
      throw new LedgerUnreadable(/[0-9a-f]{64}/.exec(error.message)?.[0] ?? sha256, error.message);
    }
  }

  /** Methods reject with `LedgerUnreadable`. */
  return {
    allotment: (sha256: string) => reading(sha256, () => openAllotment(rangeOf(blobs, sha256))),
    settlement: (sha256: string) => reading(sha256, () => openSettlement(rangeOf(blobs, sha256))),
    ofRun: (of: RunFiles) => reading(of.ledger, () => openRunLedger(blobs, of)),
  };
}
