/** State of a button's action: running, or the last error. */
import { useState } from 'preact/hooks';
import { sentenceOf } from '../service.ts';

interface Action {
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly run: () => Promise<void>;
}

/** `faultOf` says what is told of a failure; nothing where the failure is shown elsewhere. */
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
