/**
 * Requests cosignatures of a checkpoint from all witnesses, and resolves disputes if some report that they have signed another
 * tree. A single witness may be faulty or dishonest, so other witnesses can outvote it.
 */

import type { TiledTree } from 'levy-transparency-log';
import type { Logger } from '../../kernel/ports/logger.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { type Witness, WitnessDisagrees } from './witness.ts';

export interface WitnessStatus {
  readonly name: string;
  /** Size of the checkpoint that the witness signed last. */
  readonly size: number | undefined;
  /** Last failure; undefined if the last request succeeded. */
  readonly error: string | undefined;
  readonly disagrees: boolean;
}

/**
 * `open`: too few other witnesses confirm the tree, so the checkpoint cannot be published yet. `lost`: at least half of all
 * witnesses disagree. Undefined if no witness disagrees, or if those that do are outvoted.
 */
type Dispute = { readonly outcome: 'open' | 'lost'; readonly message: string } | undefined;

interface CosignedTree {
  readonly size: number;
  readonly stored: Pick<TiledTree, 'consistency'>;
}

interface Asked {
  readonly witness: Witness;
  suspendedUntil: number;
  size: number | undefined;
  error: string | undefined;
  disagrees: boolean;
  /** True if the witness had no tree of this log at its first request, so its signature does not confirm the earlier entries. */
  isNew: boolean;
}

/** Timeout per request, in milliseconds. */
const TIMEOUT = 2_000;
const RETRY_PAUSE = 30_000;

export function createCosigners(witnesses: readonly Witness[], logger: Logger) {
  const asked: Asked[] = witnesses.map((witness) => ({
    witness,
    suspendedUntil: 0,
    size: undefined,
    error: undefined,
    disagrees: false,
    isNew: false,
  }));
  let isOpen = false;
  return {
    /** Resolves with the cosignatures, one per line, and the dispute. */
    async cosign(note: string, tree: CosignedTree) {
      const answers = await Promise.all(
        asked.map(async (each) => {
          // During a dispute, paused witnesses are requested as well, since they may resolve it.
          const isSuspended = !isOpen && performance.now() < each.suspendedUntil;
          return { each, line: isSuspended ? undefined : await ask(each, note, tree, logger) };
        }),
      );
      const signed = answers.filter(({ line }) => line !== undefined);
      const lines = signed.map(({ line }) => `${line}\n`).join('');
      const against = asked.filter(({ disagrees }) => disagrees);
      if (against.length === 0) for (const each of asked) each.isNew = false;
      const dispute = disputeOf({
        errors: against.map(({ error }) => error ?? 'a witness disagrees'),
        vouching: signed.filter(({ each }) => !each.isNew).length,
        witnesses: asked.length,
      });
      isOpen = dispute !== undefined;
      return { lines, dispute };
    },
    status: (): readonly WitnessStatus[] =>
      asked.map(({ witness: { name }, size, error, disagrees }) => ({ name, size, error, disagrees })),
  };
}

/** Cosignature line; undefined if the witness does not sign. */
async function ask(
  each: Asked,
  note: string,
  { size, stored }: CosignedTree,
  logger: Logger,
): Promise<string | undefined> {
  const { name } = each.witness;
  try {
    const { line, from } = await each.witness.cosign({
      checkpoint: note,
      consistency: (known) => stored.consistency(known, size),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (each.error !== undefined) logger.warn({ witness: name }, 'witness recovered');
    Object.assign(each, { error: undefined, disagrees: false, size, isNew: each.isNew || from === 0 });
    return line;
  } catch (problem) {
    const message = errorMessage(problem);
    const disagrees = problem instanceof WitnessDisagrees;
    if (disagrees && !each.disagrees)
      logger.warn({ witness: name, error: message }, 'witness has signed another tree');
    else if (each.error === undefined)
      logger.warn({ witness: name, error: message }, 'witness does not sign');
    // A witness that disagreed and does not respond now still counts as disagreeing.
    if (disagrees || !each.disagrees) each.error = message;
    each.disagrees ||= disagrees;
    each.suspendedUntil = performance.now() + RETRY_PAUSE;
    return undefined;
  }
}

/** `errors`: messages of the disagreeing witnesses. `vouching`: number of witnesses that signed and had the previous tree. */
function disputeOf({
  errors,
  vouching,
  witnesses,
}: {
  readonly errors: readonly string[];
  readonly vouching: number;
  readonly witnesses: number;
}): Dispute {
  if (errors.length === 0 || vouching > errors.length) return undefined;
  const what = errors.join('; ');
  if (errors.length * 2 >= witnesses) return { outcome: 'lost', message: `${what}.` };
  return {
    outcome: 'open',
    message: `${what}; witnesses that confirm this log: ${vouching}, required: at least ${errors.length + 1}`,
  };
}
