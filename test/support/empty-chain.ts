import type { AuditNode } from '../../src/proof/audit/chain/audit-node.ts';

/** It shows an empty chain, of which it has everything. */
export const EMPTY_CHAIN: AuditNode = {
  host: 'node.example',
  genesisHash: async () => 'genesis',
  epoch: async () => 7n,
  firstSlot: async () => 0n,
  accounts: async (addresses) => addresses.map(() => undefined),
  accountsAt: async (addresses) => ({ accounts: addresses.map(() => undefined) }),
  signaturesOf: async () => [],
  statuses: async (signatures) => signatures.map(() => undefined),
  transaction: async () => undefined,
};
