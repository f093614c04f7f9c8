/**
 * Calls the API by its paths: answers are the data, refusals are thrown, and a read sees this client's earlier writes.
 */
import bs58 from 'bs58';
import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
  type Middleware,
} from 'openapi-fetch';
import { levyErrorOf } from './levy-error.ts';
import type { paths, UploadImageAnswer, VerifySignInAnswer } from './schema.ts';

export interface LevyClientOptions {
  /** Such as `https://levy.example`. */
  readonly baseUrl: string;
  /** The access token of an earlier sign-in. */
  readonly accessToken?: string;
  /** For the service's operator; never use it in a browser. */
  readonly operatorKey?: string;
  /** For a launchpad's backend, whose calls are then counted by partner; never use it in a browser. */
  readonly partnerKey?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A wallet: what browser wallets and key files have in common. */
export interface WalletSigner {
  /** Base58. */
  readonly address: string;
  /** The 64 bytes of the signature. */
  signMessage(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

type Api = Client<paths>;
type Method = 'get' | 'post' | 'patch' | 'put';
type Init<Path extends keyof paths, Verb extends Method> = MaybeOptionalInit<paths[Path], Verb>;

/** Resolves with the body of a successful answer; rejects with `LevyError` otherwise. */
type Call<Verb extends Method> = <Path extends ClientPathsWithMethod<Api, Verb>>(
  path: Path,
  ...init: undefined extends Init<Path, Verb> ? [init?: Init<Path, Verb>] : [init: Init<Path, Verb>]
) => Promise<MethodResponse<Api, Verb, Path>>;

export interface LevyClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly put: Call<'put'>;
  /** For what the methods above leave out: answer headers, streams, progress. Throws refusals too. */
  readonly api: Api;
  /** The access token in use; undefined before a sign-in. */
  readonly accessToken: string | undefined;
  /** Asks the wallet to sign a challenge; later calls are signed in. */
  signIn(wallet: WalletSigner): Promise<VerifySignInAnswer>;
  /** Revokes the access token and forgets it. */
  signOut(): Promise<void>;
  /** A PNG or JPEG of at most 1 MB. */
  uploadImage(image: Blob): Promise<UploadImageAnswer>;
}

export function createLevyClient(options: LevyClientOptions): LevyClient {
  const { baseUrl, operatorKey, partnerKey, fetch } = options;
  let token = options.accessToken;
  // Positions compare as text.
  let written = '';

  const session: Middleware = {
    onRequest({ request }) {
      if (token !== undefined && !request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${token}`);
      }
      if (operatorKey !== undefined) request.headers.set('x-operator-key', operatorKey);
      if (partnerKey !== undefined) request.headers.set('x-partner-key', partnerKey);
      if (request.method === 'GET' && written !== '') request.headers.set('x-after-position', written);
    },
    async onResponse({ response }) {
      if (response.status >= 400) throw await levyErrorOf(response);
      const position = response.headers.get('x-position') ?? '';
      if (position > written) written = position;
    },
  };
  const api: Api = createFetchClient<paths>({ baseUrl, ...(fetch === undefined ? {} : { fetch }) });
  api.use(session);

  /** Only the caller's side knows the types of a call: those of its path. */
  const data =
    <Verb extends Method>(call: (path: never, init: never) => Promise<{ data?: unknown }>): Call<Verb> =>
    async (path, ...[init]) =>
      (await call(path as never, init as never)).data as MethodResponse<Api, Verb, typeof path>;
  const post = data<'post'>(api.POST);

  return {
    get: data<'get'>(api.GET),
    post,
    patch: data<'patch'>(api.PATCH),
    put: data<'put'>(api.PUT),
    api,
    get accessToken() {
      return token;
    },
    async signIn(wallet) {
      const walletAddress = wallet.address;
      const { challenge } = await post('/auth/challenge', { body: { walletAddress } });
      const signature = bs58.encode(await wallet.signMessage(new TextEncoder().encode(challenge)));
      const signedIn = await post('/auth/verify', { body: { walletAddress, signature, message: challenge } });
      token = signedIn.token;
      return signedIn;
    },
    async signOut() {
      await post('/auth/logout');
      token = undefined;
    },
    uploadImage: (image) =>
      post('/tokens/upload-image', {
        body: { image },
        bodySerializer({ image: file }: { readonly image: Blob }) {
          const form = new FormData();
          form.append('image', file, 'image');
          return form;
        },
      }),
  };
}
