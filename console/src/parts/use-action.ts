/** Hook for a button's action: running state and last error. */
import { useState } from 'preact/hooks';
import { sentenceOf } from '../service.ts';

interface Action {
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly run: () => Promise<void>;
}

/** `faultOf` returns the error message, or undefined if the error is shown elsewhere. */
export function useAction(
  act: () => Promise<void>,
  faultOf: (error: unknown) => string | undefined = sentenceOf,
): Action {
  const [isBusy, work] = useState(false);
  const [fault, tell] = useState<string>();
  const run = async () => {
    work(true);
    tell(undefined);
    try {
      await act();
    } catch (error) {
      tell(faultOf(error));
    } finally {
      work(false);
    }
  };
  return { isBusy, fault, run };
}
