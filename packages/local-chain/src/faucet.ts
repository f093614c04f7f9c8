/** The account that airdrops come from: made at genesis, with a key of this chain's own. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './addresses.ts';

/** Lamports at genesis: 500 million SOL, as a test validator's. */
export const FAUCET_LAMPORTS = 500_000_000_000_000_000n;

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX_SIZE = 12;
const TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SMALLEST_UNIT_LIMIT = 1_000;

export class Faucet {
  readonly address: Uint8Array;
  readonly #key;
  #airdrops = 0;

  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    this.address = spki.subarray(SPKI_PREFIX_SIZE);
  }

  /**
   * A signed legacy transfer. Its compute-unit limit counts up, since two equal airdrops on one blockhash would be
   * one transaction.
   */
  airdrop(to: Uint8Array, lamports: bigint, blockhash: Uint8Array): Uint8Array {
    this.#airdrops += 1;
    const limit = Buffer.alloc(5);
    limit[0] = SET_COMPUTE_UNIT_LIMIT;
    limit.writeUInt32LE(SMALLEST_UNIT_LIMIT + (this.#airdrops % 1_000_000), 1);
    const transfer = Buffer.alloc(12);
    transfer.writeUInt32LE(TRANSFER, 0);
    transfer.writeBigUInt64LE(lamports, 4);
    const message = Buffer.concat([
      Uint8Array.of(1, 0, 2, 4),
      this.address,
      to,
      SYSTEM_PROGRAM,
      COMPUTE_BUDGET_PROGRAM,
      blockhash,
      Uint8Array.of(2, 3, 0, limit.length),
      limit,
      Uint8Array.of(2, 2, 0, 1, transfer.length),
      transfer,
    ]);
    return Buffer.concat([Uint8Array.of(1), sign(null, message, this.#key), message]);
  }
}
