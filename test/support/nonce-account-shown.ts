/** A nonce account as the chain shows it, with this value. */
import { addressBytes, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { createKeyring } from '../../src/chain/keys.ts';
import type { ChainAccount } from '../../src/kernel/ports/chain.ts';

const { nonceAuthority } = createKeyring(new Uint8Array(32).fill(7));

export function nonceAccountOf(value: string, authority: string = nonceAuthority.address): ChainAccount {
  const head = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0]);
  const data = Buffer.concat([head, addressBytes(authority), addressBytes(value), Buffer.alloc(8)]);
  return { owner: SYSTEM_PROGRAM, lamports: 1n, data: new Uint8Array(data) };
}
