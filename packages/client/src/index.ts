/** Public API of the package: a typed client of Levy's API. */
export {
  createLevyClient,
  type LevyClient,
  type LevyClientOptions,
  type Tagged,
  type WalletSigner,
} from './client.ts';
export type { EventWish, TokenEvent } from './events.ts';
export { LevyError, type ProblemCode } from './levy-error.ts';
export { type ProvedPayment, verifyPaymentProof } from './payment-proof.ts';
export type * from './schema.ts';
export { quoteTransfer, type TransferTax } from './transfer-quote.ts';
