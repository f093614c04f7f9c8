/**
 * Derives addresses from seeds, 4 to 5 times as fast as web3.js and spl-token (`npm run bench -- wire`), because a run
 * that pays in the token derives one for each holder. These addresses have no private key.
 */
import { createHash } from 'node:crypto';
import { addressBytes, addressOf } from './address.ts';
import { isOnCurve } from './curve-point.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from './program-ids.ts';

/** Address of a wallet's token account for one mint. The wallet may itself be off the curve. */
export function associatedTokenAddress(
  wallet: string,
  mint: string,
  tokenProgram: string = TOKEN_2022_PROGRAM,
): string {
  const seeds = [addressBytes(wallet), addressBytes(tokenProgram), addressBytes(mint)];
  return programAddress(seeds, ASSOCIATED_TOKEN_PROGRAM);
}

/** Finds the first derived address off the curve, with the last seed counting down from 255, as the chain does. */
export function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const candidate = hash
      .update(Uint8Array.of(bump))
      .update(addressBytes(program))
      .update('ProgramDerivedAddress')
      .digest();
    if (!isOnCurve(candidate)) return addressOf(candidate);
  }
  throw new RangeError('no program address exists for these seeds');
}

/** Address that `base` may allocate for a program with a seed of at most 32 bytes; `base` signs for it. */
export function seededAddress(base: string, seed: string, program: string): string {
  const bytes = Buffer.from(seed);
  if (bytes.length > 32) throw new RangeError(`a seed must have at most 32 bytes, not ${bytes.length}`);
  return addressOf(
    createHash('sha256').update(addressBytes(base)).update(bytes).update(addressBytes(program)).digest(),
  );
}
