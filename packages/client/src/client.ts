/** Client for the API by paths: calls resolve with data, throw refusals, and reads include this client's earlier writes. */
import bs58 from 'bs58';
import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
  type Middleware,
} from 'openapi-fetch';
import { type EventWish, followEvents, type TokenEvent } from './events.ts';
import { levyErrorOf } from './levy-error.ts';
import type { paths, UploadImageAnswer, VerifySignInAnswer } from './schema.ts';

export interface LevyClientOptions {
  /** URL of the service, such as `https://levy.example`. */
  readonly baseUrl: string;
  /** Access token of an earlier sign-in. */
  readonly accessToken?: string;
  /** Key of the service's operator; never use it in a browser. */
  readonly operatorKey?: string;
  /** Key of a launchpad, whose calls are then counted by partner; never use it in a browser. */
  readonly partnerKey?: string;
  /**
   * Adds an Idempotency-Key to each write, so that a call whose response was lost can be repeated without a second
   * effect. False: only calls with an explicit key are repeated.
   */
  readonly idempotencyKeys?: boolean;
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Wallet: browser wallets and key files can implement it. */
export interface WalletSigner {
  /** Base58. */
  readonly address: string;
  /** Returns the 64 bytes of the signature. */
  signMessage(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

type Api = Client<paths>;
type Method = 'get' | 'post' | 'patch' | 'put';
type Init<Path extends keyof paths, Verb extends Method> = MaybeOptionalInit<paths[Path], Verb>;

/** Body of a 200 response. A 202 response, only for `Prefer: respond-async`, has none. */
type Answer<Verb extends Method, Path extends ClientPathsWithMethod<Api, Verb>> = NonNullable<
  MethodResponse<Api, Verb, Path>
>;

/** Resolves with the body of a successful response; rejects with `LevyError` otherwise. */
type Call<Verb extends Method> = <Path extends ClientPathsWithMethod<Api, Verb>>(
  path: Path,
  ...init: undefined extends Init<Path, Verb> ? [init?: Init<Path, Verb>] : [init: Init<Path, Verb>]
) => Promise<Answer<Verb, Path>>;

export interface Tagged<Data> {
  readonly data: Data;
  /** Undefined if the response has no ETag. */
  readonly etag: string | undefined;
}

type TaggedCall = <Path extends ClientPathsWithMethod<Api, 'get'>>(
  path: Path,
  init?: Init<Path, 'get'>,
  known?: Tagged<MethodResponse<Api, 'get', Path>>,
) => Promise<Tagged<MethodResponse<Api, 'get', Path>>>;

export interface LevyClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly put: Call<'put'>;
  /** Underlying client, for response headers, streams and progress. Also throws refusals. */
  readonly api: Api;
  /**
   * GET with the ETag of its response. Send the ETag as `If-Match` with a change, so that changes of others are not
   * overwritten. `known`, an earlier result of the same call, is returned again without a transfer if it is still the
   * latest.
   */
  readonly withETag: TaggedCall;
  /** Yields events from now on or after a given event; reconnects, and neither loses nor repeats events. */
  events(wish?: EventWish): AsyncGenerator<TokenEvent>;
  /** Current access token; undefined before a sign-in. */
  readonly accessToken: string | undefined;
  /** Requests a wallet signature of a challenge; later calls are signed in. */
  signIn(wallet: WalletSigner): Promise<VerifySignInAnswer>;
  /** Revokes and deletes the access token. */
  signOut(): Promise<void>;
  /** `image`: a PNG or JPEG of at most 1 MB. */
  uploadImage(image: Blob): Promise<UploadImageAnswer>;
}

export function createLevyClient(options: LevyClientOptions): LevyClient {
  const { baseUrl, operatorKey, partnerKey, idempotencyKeys = true, fetch: send = globalFetch } = options;
  let token = options.accessToken;
  // Latest position of a write. Positions are compared as text.
  let written = '';

  const session: Middleware = {
    onRequest({ request }) {
      if (token !== undefined && !request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${token}`);
      }
      if (operatorKey !== undefined) request.headers.set('x-operator-key', operatorKey);
      if (partnerKey !== undefined) request.headers.set('x-partner-key', partnerKey);
      if (request.method === 'GET' && written !== '') request.headers.set('x-after-position', written);
      if (idempotencyKeys && request.method !== 'GET' && !request.headers.has(IDEMPOTENCY_KEY)) {
        request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
      }
    },
    async onResponse({ response }) {
      if (response.status >= 400) throw await levyErrorOf(response);
      const position = response.headers.get('x-position') ?? '';
      if (position > written) written = position;
    },
  };
  const api: Api = createFetchClient<paths>({ baseUrl, fetch: (request) => sendAgain(request, send) });
  api.use(session);

  /** Only the caller's side has the types of a call, which depend on its path. */
  const data =
    <Verb extends Method>(call: (path: never, init: never) => Promise<{ data?: unknown }>): Call<Verb> =>
    async (path, ...[init]) =>
      (await call(path as never, init as never)).data as Answer<Verb, typeof path>;
  const post = data<'post'>(api.POST);

  return {
    get: data<'get'>(api.GET),
    post,
    patch: data<'patch'>(api.PATCH),
    put: data<'put'>(api.PUT),
    api,
    withETag: tagged(api),
    events: (wish = {}) => eventsOf(api, wish),
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

function tagged(api: Api): TaggedCall {
  return async (path, init, known) => {
    const tag = known?.etag === undefined ? {} : { 'if-none-match': known.etag };
    const given = { ...init, headers: { ...tag, ...(init as { headers?: object } | undefined)?.headers } };
    const { data: found, response } = await (
      api.GET as (path: never, init: never) => Promise<{ data?: unknown; response: Response }>
    )(path as never, given as never);
    if (response.status === NOT_MODIFIED && known !== undefined) return known;
    return { data: found as never, etag: response.headers.get('etag') ?? undefined };
  };
}

function eventsOf(api: Api, wish: EventWish): AsyncGenerator<TokenEvent> {
  return followEvents(wish, async (query, headers) => {
    const { response } = await api.GET('/events', {
      params: { query },
      headers,
      parseAs: 'stream',
      ...(wish.signal === undefined ? {} : { signal: wish.signal }),
    });
    return response;
  });
}

const IDEMPOTENCY_KEY = 'idempotency-key';
const NOT_MODIFIED = 304;
/** Milliseconds before each retry of a call whose response was lost. */
const PAUSES = [200, 1_000];

const globalFetch = (request: Request): Promise<Response> => fetch(request);

/**
 * Repeats a call whose connection broke, if that has no second effect: a read, or a call with an Idempotency-Key.
 * Refusals are responses, and are not repeated.
 */
async function sendAgain(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const isSafe = request.method === 'GET' || request.headers.has(IDEMPOTENCY_KEY);
  for (const pause of isSafe ? PAUSES : []) {
    try {
      return await send(request.clone());
    } catch (error) {
      if (!(error instanceof TypeError) || request.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return send(request);
}
