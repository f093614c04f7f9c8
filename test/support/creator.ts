/** A token creator with a wallet of its own, who plays the four-step flow as a client of the API does. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { Connection, Keypair, LAMPORTS_PER_SOL, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  type CreateUnsignedAnswer,
  createLevyClient,
  type GenerateDistributionWalletAnswer as DistributionWallet,
  type LevyClient,
  type VerifySignInAnswer as SignedIn,
  type SubmitTokenAnswer as SubmittedToken,
  type UploadImageAnswer as UploadedImage,
  type WalletSigner,
  type TokenInput as WholeTokenInput,
} from 'levy-client';
import { type Answer, type CallOptions, type Client, checkedFetch, createClient } from './client.ts';
import { colour, png } from './png.ts';

export type { DistributionWallet, SignedIn, SubmittedToken, UploadedImage };

export type Draft = CreateUnsignedAnswer;

export type TokenInput = Readonly<Record<string, unknown>>;

export interface Creator {
  readonly keypair: Keypair;
  readonly address: string;
  /** Access token of this creator's session. */
  readonly token: string;
  readonly client: Client;
  /** Client that calls the service in this creator's session. */
  readonly levy: LevyClient;
  /** A call with this creator's access token. */
  call<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>;
  generateWallet(): Promise<DistributionWallet>;
  /** Uploads a picture of its own, unless bytes are given. */
  upload(bytes?: Uint8Array<ArrayBuffer>): Promise<UploadedImage>;
  /** A whole, valid body for create-unsigned: with a new distribution wallet and image, unless the fields name some. */
  tokenInput(fields?: TokenInput): Promise<TokenInput>;
  /** Steps one to three. */
  draft(fields?: TokenInput): Promise<Draft>;
  /** Signs a draft as it is, in base64. */
  sign(draft: Pick<Draft, 'transaction'>): string;
  /** Step four. */
  submit(draft: Draft): Promise<SubmittedToken>;
  /** The whole flow. */
  createToken(fields?: TokenInput): Promise<SubmittedToken>;
}

export interface Running {
  readonly url: string;
  readonly chainUrl: string;
}

/** A new wallet with SOL (5 unless said otherwise), signed in. */
export async function openCreator(
  { url, chainUrl }: Running,
  { sol = 5, partnerKey }: { readonly sol?: number; readonly partnerKey?: string | undefined } = {},
): Promise<Creator> {
  const keypair = Keypair.generate();
  if (sol > 0) await fund(chainUrl, keypair.publicKey.toBase58(), sol * LAMPORTS_PER_SOL);
  const client = createClient(url);
  const { token } = await signIn(client, keypair);
  return creatorWith({ client, keypair, token, partnerKey });
}

/** The same wallet in the session of another access token, or at another address of the service. */
export function creatorWith(session: {
  readonly client: Client;
  readonly keypair: Keypair;
  readonly token: string;
  /** Key of the launchpad that the creator uses. */
  readonly partnerKey?: string | undefined;
}): Creator {
  const { client, keypair, token, partnerKey } = session;
  const levy = createLevyClient({
    baseUrl: client.url,
    accessToken: token,
    ...(partnerKey !== undefined && { partnerKey }),
    // Tests count what is recorded, keys included.
    idempotencyKeys: false,
    fetch: checkedFetch,
  });
  const authorized = (options: CallOptions = {}): CallOptions => ({ token, ...options });
  const creator: Creator = {
    keypair,
    address: keypair.publicKey.toBase58(),
    token,
    client,
    levy,
    call: (method, path, options) => client.call(method, path, authorized(options)),
    generateWallet: () => levy.post('/tokens/generate-distribution-wallet'),
    upload: (bytes = picture()) => levy.uploadImage(new Blob([bytes])),
    async tokenInput(fields = {}) {
      const walletId = fields.walletId ?? (await creator.generateWallet()).walletId;
      const imageUri = fields.imageUri ?? (await creator.upload()).imageUri;
      return { ...SMALLEST_INPUT, ...fields, walletId, imageUri };
    },
    async draft(fields) {
      // The fields are the test's business; what is wrong with them the service says.
      const body = (await creator.tokenInput(fields)) as unknown as WholeTokenInput;
      return levy.post('/tokens/create-unsigned', { body });
    },
    sign: ({ transaction }) => signedBy(keypair, transaction),
    submit: (draft) =>
      levy.post('/tokens/submit', {
        body: { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) },
      }),
    createToken: async (fields) => creator.submit(await creator.draft(fields)),
  };
  return creator;
}

/** Only what is required, but for the wallet and the image. */
export const SMALLEST_INPUT: TokenInput = {
  name: 'Sunrise',
  symbol: 'SUN',
  description: 'A token that shares its tax with those who hold it.',
  transferFeePercent: 3.5,
  decimals: 6,
  supply: '1000000000000000',
};

/** Resolves when the wallet holds the lamports. */
export async function fund(chainUrl: string, address: string, lamports: number): Promise<void> {
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [address, lamports] }),
  });
  const { result, error } = (await response.json()) as { result?: string; error?: unknown };
  if (result === undefined) throw new Error(`no airdrop: ${JSON.stringify(error)}`);
  // The local chain executes a transaction before it answers: it is confirmed as soon as there is a signature.
}

export function connectionTo({ chainUrl }: Running): Connection {
  return new Connection(chainUrl, 'confirmed');
}

/** Challenge, signature over its text, access token. */
export function signIn({ url }: Client, keypair: Keypair): Promise<SignedIn> {
  return createLevyClient({ baseUrl: url, fetch: checkedFetch }).signIn(creatorWallet(keypair));
}

export function creatorWallet(keypair: Keypair): WalletSigner {
  return {
    address: keypair.publicKey.toBase58(),
    signMessage: (message) => ed25519.sign(message, keypair.secretKey.subarray(0, 32)),
  };
}

/** Base58. */
export function signatureOf(keypair: Keypair, bytes: Uint8Array): string {
  return bs58.encode(ed25519.sign(bytes, keypair.secretKey.subarray(0, 32)));
}

/** The unsigned transaction with this wallet's signature, both in base64. */
export function signedBy(keypair: Keypair, transaction: string): string {
  const signed = Transaction.from(Buffer.from(transaction, 'base64'));
  signed.partialSign(keypair);
  return signed.serialize({ requireAllSignatures: false }).toString('base64');
}

export function imageForm(
  bytes: Uint8Array<ArrayBuffer>,
  { field = 'image', name = 'picture.png' }: { readonly field?: string; readonly name?: string } = {},
): FormData {
  const form = new FormData();
  form.append(field, new Blob([bytes]), name);
  return form;
}

let pictures = 0;

/** A small PNG unlike any that was made before in this process. */
export function picture(): Uint8Array<ArrayBuffer> {
  pictures += 1;
  // Neighbouring colours would become one JPEG.
  const row = Buffer.alloc(16 * 3, Buffer.from([pictures * 53, pictures * 101, 200]));
  return Uint8Array.from(png({ width: 16, depth: 8, colourType: colour.rgb }, Array(16).fill(row)));
}
