/** Values that earlier answers contained: with them a drawn call gets past the checks of its form. */
import { type Keypair, Transaction } from '@solana/web3.js';

export interface Wallet {
  readonly keypair: Keypair;
  readonly address: string;
  /** Access token; another one after each sign-out. */
  token: string;
}

export interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
  readonly wallet: Wallet;
  /** Path of the call that issued it. */
  readonly path: string;
}

export interface World {
  readonly wallets: readonly Wallet[];
  readonly operatorKey: string;
  readonly partnerKey: string;
  /** Access tokens of ended sessions. */
  readonly revoked: string[];
  readonly drafts: IssuedDraft[];
  readonly challenges: { readonly walletAddress: string; readonly message: string }[];
  /** Values seen under the name: those that this wallet received, if it received any. */
  valuesOf(name: string, wallet?: Wallet): readonly string[];
  learn(path: string, wallet: Wallet | undefined, headers: Headers, body: unknown): void;
}

const MAX_OF_A_KIND = 60;
/** Members of answers that requests call by another name. */
const OTHER_NAMES: { readonly [name: string]: string } = {
  'token.id': 'tokenId',
  'tokens.id': 'tokenId',
  'promotion.id': 'promotionId',
  'featured.id': 'promotionId',
  creator: 'walletAddress',
  next: 'after',
};
const HEADERS = ['etag', 'x-position'];

export function createWorld(given: Pick<World, 'wallets' | 'operatorKey' | 'partnerKey'>): World {
  const values = new Map<string, string[]>();
  function add(name: string, value: string, wallet?: Wallet) {
    for (const key of wallet === undefined ? [name] : [name, `${name} of ${wallet.address}`])
      values.set(key, [...(values.get(key) ?? []), value].slice(-MAX_OF_A_KIND));
  }
  const world: World = {
    ...given,
    revoked: [],
    drafts: [],
    challenges: [],
    valuesOf: (name, wallet) => values.get(`${name} of ${wallet?.address}`) ?? values.get(name) ?? [],
    learn(path, wallet, headers, body) {
      for (const name of HEADERS) if (headers.has(name)) add(name, headers.get(name) ?? '', wallet);
      for (const [name, value] of textsIn(body)) {
        const own = name.split('.').at(-1) ?? '';
        add(OTHER_NAMES[name] ?? OTHER_NAMES[own] ?? own, value, wallet);
      }
      const { transactionId, transaction, challenge, mintAddress, imageUri } = Object(body);
      if (typeof transaction === 'string' && path.endsWith('/create-unsigned')) {
        const signer = signerOf(transaction, given.wallets);
        if (signer !== undefined)
          addLatest(world.drafts, { transactionId, transaction, wallet: signer, path });
      }
      if (typeof mintAddress === 'string') add('file', `${mintAddress}.json`);
      if (typeof imageUri === 'string') add('file', imageUri.split('/').at(-1) ?? '');
      if (typeof challenge === 'string')
        addLatest(world.challenges, { walletAddress: challenge.split('\n')[1] ?? '', message: challenge });
    },
  };
  return world;
}

export function addLatest<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAX_OF_A_KIND) items.shift();
}

function signerOf(transaction: string, wallets: readonly Wallet[]): Wallet | undefined {
  const { signatures } = Transaction.from(Buffer.from(transaction, 'base64'));
  const signers = new Set(signatures.map(({ publicKey }) => publicKey.toBase58()));
  return wallets.find(({ address }) => signers.has(address));
}

/** Texts with their names, `token.id`: one level above tells the id of a token from that of a promotion. */
function* textsIn(value: unknown, name = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string' && value.length <= 500) yield [name, value];
  else if (Array.isArray(value)) for (const item of value.slice(0, 5)) yield* textsIn(item, name);
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value))
      yield* textsIn(member, [...name.split('.').slice(-1), key].filter(Boolean).join('.'));
}
