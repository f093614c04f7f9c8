/** What earlier answers told, and who calls: what makes requests get beyond the checks of their form. */
import { type Keypair, Transaction } from '@solana/web3.js';
import type { Random } from './random.ts';

export interface Wallet {
  readonly keypair: Keypair;
  readonly address: string;
  /** Of its session; another one after it has signed out. */
  token: string;
}

export interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
  readonly wallet: Wallet;
  /** Of the route that issued it. */
  readonly path: string;
}

export interface Challenge {
  readonly walletAddress: string;
  readonly message: string;
}

export interface World {
  readonly wallets: readonly Wallet[];
  readonly operatorKey: string;
  readonly partnerKey: string;
  /** Tokens of sessions that have ended. */
  readonly revoked: string[];
  readonly drafts: IssuedDraft[];
  readonly challenges: Challenge[];
  /** What is known under a name; what this wallet was told, if there is any of it. */
  one(random: Random, name: string, wallet?: Wallet): string | undefined;
  /** Learns from the body and the headers of a success at the path. */
  learn(path: string, wallet: Wallet | undefined, answer: Told): void;
}

export interface Told {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Of each kind the latest are kept. */
const KEPT = 60;

/** What goes by different names in answers and in what is asked. */
const OTHER_NAMES: { readonly [name: string]: string } = {
  tokenMint: 'mintAddress',
  'token.id': 'tokenId',
  'tokens.id': 'tokenId',
  'promotion.id': 'promotionId',
  'featured.id': 'promotionId',
  creator: 'walletAddress',
  next: 'after',
};

export function createWorld(
  wallets: readonly Wallet[],
  { operatorKey, partnerKey }: Pick<World, 'operatorKey' | 'partnerKey'>,
): World {
  const known = new Map<string, string[]>();
  const keep = (name: string, value: string, wallet: Wallet | undefined) => {
    for (const key of wallet === undefined ? [name] : [name, `${name} of ${wallet.address}`]) {
      const values = known.get(key) ?? [];
      known.set(key, values);
      keepLatest(values, value);
    }
  };
  const world: World = {
    wallets,
    operatorKey,
    partnerKey,
    revoked: [],
    drafts: [],
    challenges: [],
    one(random, name, wallet) {
      const own = wallet === undefined ? undefined : known.get(`${name} of ${wallet.address}`);
      const values = own ?? known.get(name) ?? [];
      return values.length === 0 ? undefined : random.pick(values);
    },
    learn(path, wallet, { headers, body }) {
      for (const name of ['etag', 'x-position', 'x-request-id']) {
        const value = headers.get(name);
        if (value !== null) keep(name, value, wallet);
      }
      for (const [name, value] of textsIn(body, '')) keep(OTHER_NAMES[name] ?? lastPart(name), value, wallet);
      const { transactionId, transaction, challenge, mintAddress, imageUri } = Object(body);
      if (typeof transaction === 'string') {
        // A route that anybody may call issues it for the wallet that is named.
        const signer =
          wallet ?? (path.endsWith('/create-unsigned') ? signerOf(transaction, wallets) : undefined);
        if (signer !== undefined)
          keepLatest(world.drafts, { transactionId, transaction, wallet: signer, path });
      }
      if (typeof mintAddress === 'string') keep('file', `${mintAddress}.json`, undefined);
      if (typeof imageUri === 'string') keep('file', imageUri.split('/').at(-1) ?? '', undefined);
      if (typeof challenge === 'string') {
        const walletAddress = challenge.split('\n')[1] ?? '';
        keepLatest(world.challenges, { walletAddress, message: challenge });
      }
    },
  };
  return world;
}

function signerOf(transaction: string, wallets: readonly Wallet[]): Wallet | undefined {
  const { signatures } = Transaction.from(Buffer.from(transaction, 'base64'));
  const signers = new Set(signatures.map(({ publicKey }) => publicKey.toBase58()));
  return wallets.find(({ address }) => signers.has(address));
}

/** Adds it, and forgets the oldest where there are many. */
export function keepLatest<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > KEPT) items.shift();
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? '';
}

/** All texts in a value by where they are, `token.id`, as far as it can be of use. */
function* textsIn(value: unknown, name: string): Generator<readonly [string, string]> {
  if (typeof value === 'string' && value.length <= 500) yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) yield* textsIn(item, name);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    // One level is enough to tell the id of a token from that of a promotion.
    yield* textsIn(member, name === '' ? key : `${lastPart(name)}.${key}`);
  }
}
