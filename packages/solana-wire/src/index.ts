/** Public API of the package: Solana's wire formats. */
export { ADDRESS_SIZE, addressBytes, addressOf, parseAddress } from './address.ts';
export type { DecodeFailure, DecodeProblem } from './byte-reader.ts';
export { base58, fromBase58, keyOf, sameBytes, sha256 } from './bytes.ts';
export {
  type AccountMeta,
  type CompiledMessage,
  compileLegacyMessage,
  compileVersion1Message,
  type Instruction,
  type LegacyMessageInput,
  type Version1Config,
  type Version1MessageInput,
} from './compile-message.ts';
export { isOnCurve } from './curve-point.ts';
export {
  type ImportedKeyPair,
  importSeed,
  isSmallOrderEncoding,
  SIGNATURE_SIZE,
  sign,
  verify,
} from './ed25519.ts';
export { joined, U64_MAX, unsigned } from './instruction-data.ts';
export {
  type AddressTableLookup,
  type CompiledInstruction,
  type DecodedMessage,
  decodeLegacyMessage,
  decodeMessage,
  isVersion1,
  isWritable,
  type TransactionConfig,
  type WireMessage,
} from './message.ts';
export {
  NONCE_ACCOUNT_SIZE,
  type NonceAccount,
  nonceValueAfter,
  readNonceAccount,
  withNonceValue,
} from './nonce-account.ts';
export { associatedTokenAddress, programAddress, seededAddress } from './program-address.ts';
export * from './program-ids.ts';
export { MAX_RENT_PER_BYTE, rentOf, rentPerByte } from './rent.ts';
export { PROGRAM_OWNERS, RESERVED_PROGRAMS, RESERVED_SYSVARS } from './reserved-accounts.ts';
export {
  type Extension,
  isTokenProgram,
  type Mint,
  type MintAccount,
  type OwnedData,
  readMint,
  readTokenAccount,
  type TokenAccount,
  type TokenAccountFigures,
  tokenAccountFigures,
} from './token-account.ts';
export {
  type DecodedTransaction,
  decodeLegacyTransaction,
  decodeTransaction,
  PACKET_SIZE,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
  VERSION_1_SIZE,
  type WireTransaction,
} from './transaction.ts';
export {
  feeOfTransfer,
  readTransferFeeConfig,
  type TransferFee,
  type TransferFeeConfig,
} from './transfer-fee.ts';
