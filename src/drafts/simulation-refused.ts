/** The rejection of a transaction that the chain would refuse, in the chain's own words. */
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { rejection } from '../streams/rejections.ts';

/** `error` is the chain's error as JSON text. */
export function simulationRefused(error: string, logs: readonly string[]): Rejection {
  return rejection('CHAIN_REJECTED', `The chain would refuse the transaction: ${error}.`, {
    details: [
      { path: ['error'], message: error },
      ...logs.map((message, line) => ({ path: ['logs', String(line)], message })),
    ],
  });
}
