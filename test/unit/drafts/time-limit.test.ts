/** What becomes of the questions of a call whose time is over. */
import { expect, test } from 'vitest';
import { createTimeLimit } from '../../../src/drafts/draft-bytes.ts';
import { type Chain, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';

const never = <T>() => new Promise<T>(() => undefined);

test('every question of a call ends at the same moment, however late it was asked', async () => {
  const limit = createTimeLimit(5);
  const chain = limit.chain({ epoch: () => never(), balance: () => never() } as Partial<Chain> as Chain);
  await expect(chain.epoch()).rejects.toThrow(ChainUnavailable);
  await expect(chain.balance('any')).rejects.toThrow(
    'the chain has not responded within the time limit of the call',
  );
});
