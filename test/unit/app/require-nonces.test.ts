// A process that makes drafts on durable nonces is not started on a chain of others that has none.
import { expect, test } from 'vitest';
import { needsNonces, requireNonces } from '../../../src/app/chain.ts';
import { StartRefused } from '../../../src/app/start-refusals.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import type { Configuration } from '../../../src/operations/config/configuration.ts';
import { addresses } from '../../support/domain-examples.ts';

const NEEDED = {
  chain: { url: 'https://node', isEmbedded: false, lacksUser: false },
  draftLifetimeKind: 'durable-nonce',
  roles: new Set(['api']),
} as unknown as Configuration;
const without = (change: object) => ({ ...NEEDED, ...change }) as Configuration;

test.each([
  ['for the role api', {}, true],
  ['for the role settler', { roles: new Set(['settler']) }, true],
  ['for no other role', { roles: new Set(['projector', 'distributor']) }, false],
  ['not for drafts on recent blockhashes', { draftLifetimeKind: 'recent-blockhash' }, false],
  ['not on an embedded chain', { chain: { url: 'embedded', isEmbedded: true } }, false],
])('durable nonces are needed %s', (_what, change, expected) => {
  expect(needsNonces(without(change))).toBe(expected);
});

async function started(simulate: () => Promise<{ error: string | undefined }>, configuration = NEEDED) {
  const warned: unknown[] = [];
  const chain = {
    rentExemption: async () => 1_447_680n,
    slotLeader: async () => addresses.mint,
    simulate,
  } as unknown as Chain;
  const log = { warn: (...told: unknown[]) => void warned.push(told) } as never;
  await requireNonces(configuration, chain, addresses.creator, log);
  return warned;
}
const refuses = async () => ({ error: JSON.stringify({ InstructionError: [1, 'InvalidInstructionData'] }) });

test('a chain that has none is refused, with the setting that does without', async () => {
  const refused = expect(started(refuses)).rejects;
  await refused.toThrow(
    new StartRefused(
      'This chain has no durable nonces, which DRAFT_LIFETIME_KIND=durable-nonce requires. Set DRAFT_LIFETIME_KIND=recent-blockhash: docs/how-to/operate/run-without-durable-nonces.md explains the effects.',
    ),
  );
  await expect(started(refuses)).rejects.toBeInstanceOf(StartRefused);
});

test.each([
  ['has them', async () => ({ error: undefined })],
  ['does not tell', async () => ({ error: '"AccountNotFound"' })],
])('a chain that %s does not prevent a start', async (_what, simulate) => {
  expect(await started(simulate)).toEqual([]);
});

test('a chain that does not answer the question does not prevent a start, and is told', async () => {
  expect(await started(() => Promise.reject(new Error('the node is away')))).toEqual([
    [{ error: 'Error: the node is away' }, 'could not determine whether the chain supports durable nonces'],
  ]);
});

test('a process that needs none does not ask', async () => {
  const asked = () => Promise.reject(new Error('was asked'));
  expect(await started(asked, without({ draftLifetimeKind: 'recent-blockhash' }))).toEqual([]);
});
