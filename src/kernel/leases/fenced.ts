/**
 * Lets a role act only while it is held: right before each act it asks the term, which reads the clocks.
 *
 * An act that was allowed may still arrive late, after the next holder has started. That is harmless, because every act has its own
 * fence too: an append carries the revision that was read, so it conflicts after any other append; a transaction carries its nonce value
 * (or a blockhash that expires) and was recorded before it was sent, so it lands at most once, even if two processes send it; an image is named by its
 * content, and is removed only if nobody has kept it meanwhile.
 */
import type { BlobStore } from '../ports/blob-store.ts';
import type { Chain } from '../ports/chain.ts';
import { withMethods } from '../runtime/around-calls.ts';
import type { Executor } from '../runtime/execute.ts';
import { LeaseLost, type LeaseTerm } from './lease-term.ts';

/** Records nothing after the term has ended: it checks before the decision and again before each append. */
export function fencedExecutor(executor: Executor, term: Pick<LeaseTerm, 'name' | 'isHeld'>): Executor {
  return {
    ...executor,
    async execute(stream, streamId, cause, decide, options = {}) {
      const beforeAppend: typeof options.beforeAppend = async (known) => {
        await options.beforeAppend?.(known);
        requireHeld(term);
      };
      requireHeld(term);
      return executor.execute(stream, streamId, cause, decide, { ...options, beforeAppend });
    },
  };
}

/** Sending and airdrops reject with `LeaseLost` and do nothing when the term is not held. */
export function fencedChain(chain: Chain, term: Pick<LeaseTerm, 'name' | 'isHeld'>): Chain {
  return withMethods(chain, {
    async send(wire) {
      requireHeld(term);
      return chain.send(wire);
    },
    async airdrop(address, lamports) {
      requireHeld(term);
      return chain.airdrop(address, lamports);
    },
  });
}

/** Files named by their content, as the role that removes unused ones sees them. */
type UnusedFiles = Pick<BlobStore, 'leftAlone' | 'keep' | 'remove'>;

/** Keeping and removing files rejects with `LeaseLost` and does nothing when the term is not held. */
export function fencedFiles(files: UnusedFiles, term: Pick<LeaseTerm, 'name' | 'isHeld'>): UnusedFiles {
  return withMethods(files, {
    async keep(name) {
      requireHeld(term);
      return files.keep(name);
    },
    async remove(name, leftAloneSince) {
      requireHeld(term);
      return files.remove(name, leftAloneSince);
    },
  });
}

function requireHeld(term: Pick<LeaseTerm, 'name' | 'isHeld'>): void {
  if (!term.isHeld()) throw new LeaseLost(term.name);
}
