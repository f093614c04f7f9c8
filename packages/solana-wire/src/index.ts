/** Solana on the wire: everything that the package offers. */
export * from './address.ts';
export * from './decode-transaction.ts';
export * from './ed25519.ts';
export * from './instruction-data.ts';
export * from './legacy-message.ts';
export * from './mint-account.ts';
export * from './program-address.ts';
