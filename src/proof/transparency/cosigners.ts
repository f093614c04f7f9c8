/**
 * Asks all witnesses of a log to sign a checkpoint, and weighs it when some say that they have signed another tree. What
 * one witness says may be a lie or a fault of its own, so others can outvote it.
 */

import type { TiledTree } from 'levy-transparency-log';
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { type Witness, WitnessDisagrees } from './witness.ts';

export interface WitnessStatus {
  readonly name: string;
  /** The size of the checkpoint that it signed last. */
  readonly size: number | undefined;
  /** Why it does not sign. */
  readonly error: string | undefined;
  /** True if the witness reports that it has signed a different tree. */
  readonly disagrees: boolean;
}

/**
 * `open` while too few others vouch for the tree, so that nothing may be published yet; `lost` when at least half of all
 * witnesses disagree. Undefined where none disagrees, and where those that do are outvoted.
 */
type Dispute = { readonly outcome: 'open' | 'lost'; readonly message: string } | undefined;

interface CosignedTree {
  readonly size: number;
  readonly stored: Pick<TiledTree, 'consistency'>;
}

interface Asked {
  readonly witness: Witness;
  restsUntil: number;
  size: number | undefined;
  error: string | undefined;
  disagrees: boolean;
  /** It knew no tree of this log when it was asked first: it cannot say yet that this one is the same. */
  isNew: boolean;
}

/** Milliseconds. */
const PATIENCE = 2_000;
const REST = 30_000;

export function createCosigners(witnesses: readonly Witness[], logger: Logger) {
  const asked: Asked[] = witnesses.map((witness) => ({
    witness,
    restsUntil: 0,
    size: undefined,
    error: undefined,
    disagrees: false,
    isNew: false,
  }));
  let isOpen = false;
  return {
    /** Resolves with the signatures, a line each. */
    async cosign(note: string, tree: CosignedTree) {
      const answers = await Promise.all(
        asked.map(async (each) => {
          // While a dispute is open, those that rest may end it.
          const isResting = !isOpen && performance.now() < each.restsUntil;
          return { each, line: isResting ? undefined : await ask(each, note, tree, logger) };
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

/** Undefined where it does not sign. */
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
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (each.error !== undefined) logger.warn({ witness: name }, 'witness signs again');
    Object.assign(each, { error: undefined, disagrees: false, size, isNew: each.isNew || from === 0 });
    return line;
  } catch (problem) {
    const message = messageOf(problem);
    const disagrees = problem instanceof WitnessDisagrees;
    if (disagrees && !each.disagrees)
      logger.warn({ witness: name, error: message }, 'witness has signed another tree');
    else if (each.error === undefined)
      logger.warn({ witness: name, error: message }, 'witness does not sign');
    // One that disagreed and is silent now has taken nothing back.
    if (disagrees || !each.disagrees) each.error = message;
    each.disagrees ||= disagrees;
    each.restsUntil = performance.now() + REST;
    return undefined;
  }
}

/** `errors` are what those say that disagree; `vouching` counts those that signed and knew the tree before. */
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
    message: `${what}; of the others, ${vouching} vouch for this log, which are too few to go on without it`,
  };
}
