/** Account that pays airdrops: created at genesis, with a key of this chain. */
import { type KeyObject, randomInt } from 'node:crypto';
import {
  addressOf,
  COMPUTE_BUDGET_PROGRAM,
  compileLegacyMessage,
  importSeed,
  joined,
  SYSTEM_PROGRAM,
  sign,
  signTransaction,
  unsigned,
} from 'levy-solana-wire';

/** Lamports at genesis: 500 million SOL, as on a test validator. */
export const FAUCET_LAMPORTS = 500_000_000_000_000_000n;

const TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SMALLEST_UNIT_LIMIT = 1_000;

export class Faucet {
  readonly address: Uint8Array;
  readonly #name: string;
  readonly #key: KeyObject;
  /** Starts at a random number, so that a restarted chain does not repeat an airdrop within a blockhash. */
  #airdrops = randomInt(1_000_000);

  constructor(seed: Uint8Array) {
    const { privateKey, publicKey } = importSeed(seed);
    this.#key = privateKey;
    this.address = publicKey;
    this.#name = addressOf(publicKey);
  }

  /**
   * Signs a legacy transfer. Its compute-unit limit increases, because two equal airdrops with one blockhash would be
   * the same transaction.
   */
  airdrop(to: Uint8Array, lamports: bigint, blockhash: Uint8Array): Uint8Array {
    this.#airdrops += 1;
    const limit = SMALLEST_UNIT_LIMIT + (this.#airdrops % 1_000_000);
    const { bytes } = compileLegacyMessage({
      payer: this.#name,
      recentBlockhash: addressOf(blockhash),
      instructions: [
        {
          program: COMPUTE_BUDGET_PROGRAM,
          accounts: [],
          data: joined([Uint8Array.of(SET_COMPUTE_UNIT_LIMIT), unsigned(limit, 4)]),
        },
        {
          program: SYSTEM_PROGRAM,
          accounts: [
            { address: this.#name, signer: true, writable: true },
            { address: addressOf(to), signer: false, writable: true },
          ],
          data: joined([unsigned(TRANSFER, 4), unsigned(lamports, 8)]),
        },
      ],
    });
    return signTransaction(bytes, new Map([[this.#name, sign(this.#key, bytes)]]));
  }
}
