/**
 * Builds the envelopes in which wallets sign off-chain messages: `\xffsolana offchain`, a header, the text. Hardware
 * wallets sign only such envelopes, and their firmware chooses the header, so every form with a single signer is tried.
 */

const SIGNING_DOMAIN = Buffer.from('\xffsolana offchain', 'latin1');
const APPLICATION_DOMAIN_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

/**
 * ASCII, UTF-8 and long UTF-8. Wallets disagree on whether text with line feeds is ASCII; the choice does not affect
 * security.
 */
const FORMATS = [1, 0, 2] as const;

/**
 * Yields every off-chain message that a wallet may have signed for `text`, likeliest first.
 * @param wallet the 32 bytes of the only signer
 * @param domain host of the site. The application domain is 32 zero bytes, or this host as UTF-8, cut or padded to 32
 * bytes.
 */
export function* offchainMessages(text: Uint8Array, wallet: Uint8Array, domain: string): Generator<Buffer> {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);

  // Header of solana-cli and of Ledger's app before 1.8.
  for (const format of FORMATS) yield join([0, format], length, text);

  // Full version 0 header: application domain, format, signer count, signers, length.
  const named = Buffer.alloc(APPLICATION_DOMAIN_LENGTH);
  Buffer.from(domain, 'utf8').copy(named);
  for (const applicationDomain of [Buffer.alloc(APPLICATION_DOMAIN_LENGTH), named]) {
    for (const format of FORMATS) yield join([0], applicationDomain, [format, 1], wallet, length, text);
  }

  // Version 1: signer count, signers, text. Early Ledger firmware put the length in between.
  yield join([1, 1], wallet, text);
  yield join([1, 1], wallet, length, text);
}

/**
 * Parses a signed envelope: signature count (one), signature, off-chain message. Ledger's kit returns it where other wallets
 * return the bare signature. Undefined if the bytes are not an envelope. The caller must compare the message.
 */
export function openSignedEnvelope(
  bytes: Uint8Array,
): { signature: Uint8Array; message: Uint8Array } | undefined {
  const message = bytes.subarray(1 + SIGNATURE_LENGTH);
  if (bytes[0] !== 1 || !SIGNING_DOMAIN.equals(message.subarray(0, SIGNING_DOMAIN.length))) return undefined;
  return { signature: bytes.subarray(1, 1 + SIGNATURE_LENGTH), message };
}

function join(...parts: (readonly number[] | Uint8Array)[]): Buffer {
  return Buffer.concat([SIGNING_DOMAIN, ...parts.map((part) => Uint8Array.from(part))]);
}
