/** Reads the errors of a node that does not answer. */
import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';

/** Why a node is silent; throws what is no silence of its. */
export function silenceIn(error: unknown): string {
  if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  return `does not answer (${error.message})`;
}
