/** Writes Sign-In-With-Solana messages; parses only texts that `writeSignInMessage` could have written. */

const SIGN_IN_CHAIN_IDS = ['mainnet', 'testnet', 'devnet', 'localnet'] as const;

export type SignInChainId = (typeof SIGN_IN_CHAIN_IDS)[number];

export interface SignInMessage {
  /** Host with port. Wallets compare it with the requesting page. */
  domain: string;
  /** Base58 address of the wallet. */
  address: string;
  statement: string;
  uri: string;
  chainId: SignInChainId;
  /** Letters and digits only, at least 8. */
  nonce: string;
  /** Unix milliseconds. */
  issuedAt: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

const AUTHORITY = /^(?:[A-Za-z0-9\-._~]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

export function isSignInDomain(text: string): boolean {
  return AUTHORITY.test(text);
}

export function isSignInUri(text: string): boolean {
  return ABSOLUTE_URI.test(text);
}

export function writeSignInMessage(message: SignInMessage): string {
  return [
    `${message.domain} wants you to sign in with your Solana account:`,
    message.address,
    '',
    message.statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${new Date(message.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(message.expiresAt).toISOString()}`,
  ].join('\n');
}

/** Fields of the wallet standard's `solana:signIn` (`SolanaSignInInput`). */
export function signInInputOf({ issuedAt, expiresAt, ...fields }: SignInMessage) {
  return {
    ...fields,
    version: '1' as const,
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(expiresAt).toISOString(),
  };
}

const MESSAGE = new RegExp(
  [
    '^(?<domain>[^\\s]+) wants you to sign in with your Solana account:',
    '(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})',
    '',
    '(?<statement>[^\\n]+)',
    '',
    'URI: (?<uri>[^\\s]+)',
    'Version: 1',
    'Chain ID: (?<chainId>[a-z]+)',
    'Nonce: (?<nonce>[A-Za-z0-9]{8,})',
    'Issued At: (?<issuedAt>\\S{24})',
    'Expiration Time: (?<expiresAt>\\S{24})$',
  ].join('\\n'),
);

/** Parses a message; undefined unless `writeSignInMessage` writes exactly this text from its fields. */
export function readSignInMessage(text: string): SignInMessage | undefined {
  const groups = MESSAGE.exec(text)?.groups;
  if (!groups) return undefined;
  const chainId = SIGN_IN_CHAIN_IDS.find((known) => known === groups.chainId);
  const issuedAt = Date.parse(groups.issuedAt ?? '');
  const expiresAt = Date.parse(groups.expiresAt ?? '');
  if (chainId === undefined || Number.isNaN(issuedAt) || Number.isNaN(expiresAt)) return undefined;
  const message: SignInMessage = {
    domain: groups.domain ?? '',
    address: groups.address ?? '',
    statement: groups.statement ?? '',
    uri: groups.uri ?? '',
    chainId,
    nonce: groups.nonce ?? '',
    issuedAt,
    expiresAt,
  };
  return writeSignInMessage(message) === text ? message : undefined;
}

const CLUSTERS: { readonly [genesisHash: string]: SignInChainId } = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY': 'testnet',
};

export function signInChainId(genesisHash: string): SignInChainId {
  return CLUSTERS[genesisHash] ?? 'localnet';
}
