/** Counts files as they are copied, and reports those that could not be. */
import { StoreUnavailable } from '../../kernel/ports/errors.ts';

export interface FilesCopied {
  /** Files that are at the target as they are at the source. Of those, `added` were not there before, or were damaged. */
  readonly files: number;
  readonly added: number;
  /** Bytes of the files that were compared. */
  readonly bytes: number;
  /** Files that were not, each of which was reported. */
  readonly faults: number;
}

export interface CopyFilesTold {
  /** A sentence about a file that could not be copied, and what to do. */
  readonly found: (fault: string) => Promise<void>;
  readonly progress: (files: number) => void;
}

export interface FileCounter {
  compared(bytes: number, added: number): void;
  /** Tells what the work throws as a fault of the file, unless a store does not answer. */
  faultOr(file: string, work: () => Promise<void>): Promise<void>;
  readonly faults: number;
}

export function countFiles({ found, progress }: CopyFilesTold): FileCounter & { result(): FilesCopied } {
  const counted = { files: 0, added: 0, bytes: 0, faults: 0 };
  return {
    get faults() {
      return counted.faults;
    },
    compared(bytes, added) {
      counted.files += 1;
      counted.added += added;
      counted.bytes += bytes;
      progress(counted.files);
    },
    async faultOr(file, work) {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Error) || error instanceof StoreUnavailable) throw error;
        if (error instanceof RemovedMeanwhile) return;
        counted.faults += 1;
        await found(`${file}: ${error.message}`);
      }
    },
    result: () => ({ ...counted }),
  };
}

/** Nothing uses the file any more. */
export class RemovedMeanwhile extends Error {}
