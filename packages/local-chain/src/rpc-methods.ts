/** All methods by name. */
import type { Method } from './rpc-context.ts';
import { accountMethods } from './rpc-methods-accounts.ts';
import { clusterMethods } from './rpc-methods-cluster.ts';
import { historyMethods } from './rpc-methods-history.ts';
import { operatorMethods } from './rpc-methods-operator.ts';
import { tokenMethods } from './rpc-methods-tokens.ts';
import { transactionMethods } from './rpc-methods-transactions.ts';

export const rpcMethods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...accountMethods,
    ...clusterMethods,
    ...historyMethods,
    ...operatorMethods,
    ...tokenMethods,
    ...transactionMethods,
  }),
);
