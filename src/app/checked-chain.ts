/**
 * The chain of a process whose node did not answer at the start: each call first checks it, until it has been checked
 * once. A chain that a start would refuse rejects every call, so that nothing is signed for it or sent to it.
 */
import type { Chain } from '../kernel/ports/chain.ts';
import { ChainUnavailable } from '../kernel/ports/chain.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { aroundCalls } from '../kernel/runtime/around-calls.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { StartRefused } from './claim-log.ts';

/** `check` rejects with `StartRefused` for a chain that must not be used, and as the chain does while that does not answer. */
export function checkedLater(
  chain: Chain,
  { check, logger }: { readonly check: () => Promise<void>; readonly logger: Logger },
): Chain {
  let isChecked = false;
  let checking: Promise<void> | undefined;
  let refusal: string | undefined;

  async function checkNow(): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      if (refusal !== error.message)
        logger.error({ error: error.message }, 'the chain that answers is refused: nothing is sent to it');
      refusal = error.message;
      throw new ChainUnavailable(error.message);
    }
    isChecked = true;
    logger.warn({}, 'chain node answers, its chain is the right one');
  }

  return aroundCalls(chain, async (method, call) => {
    // Its answer is compared by readiness, and leads to nothing else.
    if (isChecked || method === 'genesisHash') return call();
    checking ??= checkNow().finally(() => {
      checking = undefined;
    });
    await checking.catch((error: unknown) => {
      throw error instanceof ChainUnavailable ? error : new ChainUnavailable(messageOf(error));
    });
    return call();
  });
}
