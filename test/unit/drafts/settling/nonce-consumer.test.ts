// Which transaction spent a nonce value, where blocks also hold transactions that never ran.
import { compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { findConsumption } from '../../../../src/drafts/settling/nonce-consumer.ts';
import type { Chain, LandedTransaction } from '../../../../src/ports/chain.ts';
import { addresses, signatures } from '../../../support/domain-examples.ts';
import { historyEntry } from '../../../support/history-entry.ts';

const messageOf = (payer: string) =>
  compileLegacyMessage({ payer, instructions: [], recentBlockhash: addresses.mint }).bytes;

const ours = { message: messageOf(addresses.creator), signature: signatures.first };
const advance = { message: messageOf(addresses.otherCreator), signature: signatures.second };

function landed({ message }: typeof ours, change: Partial<LandedTransaction> = {}): LandedTransaction {
  return { slot: 7, wire: unsignedTransaction(message), fee: 5_000n, error: undefined, logs: [], ...change };
}

function chainWith(found: { readonly [signature: string]: LandedTransaction }): Chain {
  return {
    transaction: async (signature: string) => found[signature],
    signaturesOf: async () => Object.keys(found).map((signature) => historyEntry(signature)),
  } as unknown as Chain;
}

const NOT_RUN = { fee: 0n, error: '"InsufficientFundsForFee"' };

test('the value was not spent by what stands in a block without having run', async () => {
  const chain = chainWith({ [ours.signature]: landed(ours, NOT_RUN) });
  expect(await findConsumption(chain, addresses.creator, [ours, advance], 'finalized')).toBeUndefined();
});

test('the advance that spent it is found behind such a one, and so is the same message that ran later', async () => {
  const notRun = { [ours.signature]: landed(ours, NOT_RUN) };
  const advanced = chainWith({ ...notRun, [advance.signature]: landed(advance) });
  expect(await findConsumption(advanced, addresses.creator, [ours, advance], 'finalized')).toMatchObject({
    candidate: 1,
  });
  const ranLater = chainWith({ ...notRun, other: landed(ours) });
  expect(await findConsumption(ranLater, addresses.creator, [ours, advance], 'finalized')).toMatchObject({
    candidate: 0,
    signature: 'other',
    error: undefined,
  });
});

test('a failure that was charged for has spent it', async () => {
  const error = '{"InstructionError":[2,{"Custom":1}]}';
  const chain = chainWith({ [ours.signature]: landed(ours, { error }) });
  expect(await findConsumption(chain, addresses.creator, [ours], 'finalized')).toMatchObject({
    candidate: 0,
    error,
  });
});
