/** Browser wallets (Wallet Standard), the connected one, and its session. */
import { computed, signal } from '@preact/signals';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { type LevyClient, LevyError } from 'levy-client';
import { base58, fromBase64Bytes, toBase64Bytes } from './format/bytes.ts';
import { createClient, levy } from './service.ts';

/** Wallet features that the console uses. */
interface Features {
  readonly 'standard:connect': { connect(): Promise<{ readonly accounts: readonly WalletAccount[] }> };
  readonly 'standard:disconnect'?: { disconnect(): Promise<void> };
  readonly 'standard:events'?: {
    on(
      event: 'change',
      changed: (what: { readonly accounts?: readonly WalletAccount[] }) => void,
    ): () => void;
  };
  readonly 'solana:signIn'?: {
    signIn(
      input: object,
    ): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>;
  };
  readonly 'solana:signMessage'?: {
    signMessage(input: {
      readonly account: WalletAccount;
      readonly message: Uint8Array;
    }): Promise<readonly { readonly signature: Uint8Array }[]>;
  };
  readonly 'solana:signTransaction': {
    signTransaction(input: {
      readonly account: WalletAccount;
      readonly transaction: Uint8Array;
    }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
  };
}

interface Connected {
  readonly wallet: Wallet;
  readonly account: WalletAccount;
  /** Client with the wallet's session. */
  readonly client: LevyClient;
}

/** `sessionStorage` key: each tab signs in separately. */
const STORED = 'levy-session';

const registry = getWallets();
export const wallets = signal<readonly Wallet[]>(usable());
const refresh = () => {
  wallets.value = usable();
};
registry.on('register', refresh);
registry.on('unregister', refresh);

export const connected = signal<Connected | undefined>(undefined);
export const address = computed(() => connected.value?.account.address);
/** Reason why the connection was lost, such as an account switch. */
export const lost = signal<string | undefined>(undefined);

function usable(): readonly Wallet[] {
  return registry
    .get()
    .filter(
      ({ chains, features }) =>
        chains.some((chain) => chain.startsWith('solana:')) &&
        'standard:connect' in features &&
        'solana:signTransaction' in features &&
        ('solana:signIn' in features || 'solana:signMessage' in features),
    );
}

const featuresOf = (wallet: Wallet) => wallet.features as unknown as Features;

/** Requests an account and a signature of the service's challenge. Rejects with the wallet's error. */
export async function connect(wallet: Wallet): Promise<void> {
  const features = featuresOf(wallet);
  const { accounts } = await features['standard:connect'].connect();
  const account = accounts[0] ?? wallet.accounts[0];
  if (account === undefined) throw new Error(`${wallet.name} shares no account; connect one in the wallet.`);
  const accessToken = storedToken(account.address) ?? (await signIn(wallet, account));
  store(account.address, accessToken);
  connected.value = { wallet, account, client: createClient(accessToken) };
  lost.value = undefined;
  features['standard:events']?.on('change', ({ accounts: left }) => {
    if (connected.value?.wallet !== wallet || left === undefined) return;
    const isStill = left.some((each) => each.address === account.address);
    if (isStill) return;
    forget();
    lost.value =
      left.length === 0
        ? `${wallet.name} has disconnected. Connect it again.`
        : `${wallet.name} has switched accounts. Connect it again to use the new one.`;
  });
}

async function signIn(wallet: Wallet, account: WalletAccount): Promise<string> {
  const features = featuresOf(wallet);
  const walletAddress = account.address;
  const { challenge, signInInput } = await levy.post('/auth/challenge', { body: { walletAddress } });
  const signed =
    features['solana:signIn'] === undefined
      ? await signMessage(features, account, challenge)
      : await bySignIn(features['solana:signIn'], signInInput);
  const { token } = await levy.post('/auth/verify', {
    body: { walletAddress, signature: base58(signed.signature), message: signed.message },
  });
  return token;
}

async function bySignIn(feature: NonNullable<Features['solana:signIn']>, input: object) {
  const [output] = await feature.signIn(input);
  if (output === undefined) throw new Error('The wallet returned no signature.');
  return { message: new TextDecoder().decode(output.signedMessage), signature: output.signature };
}

async function signMessage(features: Features, account: WalletAccount, challenge: string) {
  const [output] =
    (await features['solana:signMessage']?.signMessage({
      account,
      message: new TextEncoder().encode(challenge),
    })) ?? [];
  if (output === undefined) throw new Error('The wallet returned no signature.');
  return { message: challenge, signature: output.signature };
}

/** Signs a base64 transaction; the service submits it. Rejects with the wallet's error. */
export async function signTransaction(transaction: string): Promise<string> {
  const now = connected.value;
  if (now === undefined) throw new Error(lost.value ?? 'No wallet is connected.');
  const [signed] = await featuresOf(now.wallet)['solana:signTransaction'].signTransaction({
    account: now.account,
    transaction: fromBase64Bytes(transaction),
  });
  if (signed === undefined) throw new Error('The wallet returned no signature.');
  return toBase64Bytes(signed.signedTransaction);
}

export async function disconnect(): Promise<void> {
  const now = connected.value;
  forget();
  await now?.client.signOut().catch(() => undefined);
  if (now !== undefined) await featuresOf(now.wallet)['standard:disconnect']?.disconnect();
}

/** Awaits a call. If the session has ended, disconnects so that the page offers to reconnect. */
export async function signedIn<Data>(call: Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof LevyError && error.status === 401) {
      forget();
      lost.value = 'Your session has ended. Connect your wallet again.';
    }
    throw error;
  }
}

/** Disconnects the wallet in this tab and deletes its session. */
export function forget(): void {
  connected.value = undefined;
  sessionStorage.removeItem(STORED);
}

function storedToken(wallet: string): string | undefined {
  const {
    address: of,
    token,
    until,
  }: { address?: string; token?: string; until?: number } = JSON.parse(
    sessionStorage.getItem(STORED) ?? '{}',
  );
  return of === wallet && until !== undefined && until > Date.now() ? token : undefined;
}

function store(wallet: string, token: string): void {
  // The token contains its expiry; the service enforces it in any case.
  const { exp }: { exp?: number } = JSON.parse(
    atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
  );
  sessionStorage.setItem(STORED, JSON.stringify({ address: wallet, token, until: (exp ?? 0) * 1_000 }));
}
