/** The one list of environment variables. The reference page, the checks and the configuration's type all follow from it. */
import {
  type Address,
  chainAddress,
  collectorAddress,
  eventStoreAddress,
  imageStoreAddress,
  publicAddress,
  publisherAddress,
  readModelAddress,
  streamPrefix,
  webOrigin,
} from './address-kinds.ts';
import { accountFiles, programFiles } from './local-chain-kinds.ts';
import { natsStreamName, subjectPrefix } from './nats-address.ts';
import { operatorKeys } from './operator-keys.ts';
import { quotas } from './quotas.ts';
import { roleList } from './roles.ts';
import {
  address,
  addressRange,
  amount,
  duration,
  host,
  issuers,
  lifetime,
  listOf,
  oneOf,
  onOff,
  path,
  percentage,
  secretFile,
  serviceName,
  type ValueKind,
  wholeNumber,
} from './value-kinds.ts';

export interface Variable<Value = unknown> {
  readonly name: string;
  readonly kind: ValueKind<Value>;
  readonly default: Default<Value>;
  readonly meaning: string;
}

export type Default<Value> =
  /** Read as if it had been set. `<NAME>` stands for what an earlier variable is set to, or its default. */
  | { readonly text: string }
  /** As that, but the text follows from others. */
  | { readonly textFrom: (texts: ReadonlyMap<string, string>) => string; readonly shown: string }
  /** No text says it. */
  | { readonly value: Value; readonly shown: string };

function variable<Value>(
  name: string,
  kind: ValueKind<Value>,
  defaultText: string,
  meaning: string,
): Variable<Value> {
  return { name, kind, default: { text: defaultText }, meaning };
}

function variableOrElse<Value, Else>(
  name: string,
  kind: ValueKind<Value>,
  otherwise: { readonly value: Else; readonly shown: string },
  meaning: string,
): Variable<Value | Else> {
  return { name, kind, default: otherwise, meaning };
}

export const variables = {
  host: variable('HOST', host, '127.0.0.1', 'The address to listen on; `0.0.0.0` or `::` for all.'),
  port: variable(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'The port to listen on; 0 takes any free one. Printed at start.',
  ),
  publicUrl: variableOrElse(
    'PUBLIC_URL',
    publicAddress,
    { value: undefined, shown: 'where it listens' },
    'What clients call the service by. Written into every token for ever: where the chain is not `local:` it must be set, https, ' +
      'of a public host, and at most 38 bytes long.',
  ),
  dataDirectory: variable(
    'DATA_DIR',
    path,
    './data',
    'Where everything is kept that no other variable puts elsewhere.',
  ),
  eventStore: variable(
    'EVENT_STORE_URL',
    eventStoreAddress,
    'sqlite:<DATA_DIR>/levy.db',
    'The log of all events. The scheme chooses the adapter. Processes that share one work together.',
  ),
  eventStorePrefix: variable(
    'EVENT_STORE_PREFIX',
    streamPrefix,
    'levy',
    'What the names of all streams begin with in EventStoreDB, before a dot: several services can share one. Never to be changed.',
  ),
  eventStoreCaFile: variableOrElse(
    'EVENT_STORE_CA_FILE',
    path,
    { value: undefined, shown: 'the authorities that Node knows' },
    "Certificates (PEM) of those who sign EventStoreDB's own.",
  ),
  eventStoreCredentialsFile: variableOrElse(
    'EVENT_STORE_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none: as in the address' },
    'A user of EventStoreDB, a colon and the password, mode 0600. The user must be allowed to read everything (`$all`).',
  ),
  roles: variable(
    'ROLES',
    roleList,
    'api,projector,settler,publisher',
    'What this process does. `settler` and `publisher` are done by one process at a time, whichever holds the lease; the others stand by.',
  ),
  leaseTtlMs: variable(
    'LEASE_TTL',
    duration('500ms', '10m'),
    '15s',
    'How long a process counts on a role that only one may have; a quarter longer the others wait before one of them takes it over. ' +
      'Longer than the event store needs to choose a new leader.',
  ),
  readModel: {
    name: 'READ_MODEL_URL',
    kind: readModelAddress,
    default: {
      textFrom: (texts) =>
        /^sqlite:/i.test(texts.get('EVENT_STORE_URL') ?? 'sqlite:')
          ? '<EVENT_STORE_URL>'
          : 'sqlite:<DATA_DIR>/read-model.db',
      shown: '`<EVENT_STORE_URL>` where that is `sqlite:`, else `sqlite:<DATA_DIR>/read-model.db`',
    },
    meaning: 'The documents that queries read, made from the log. A file of its own for every process.',
  } satisfies Variable<Address>,
  imageStore: variable('IMAGE_STORE_URL', imageStoreAddress, 'file:<DATA_DIR>/images', 'The token images.'),
  unusedImagesKeptMs: variable(
    'UNUSED_IMAGES_KEPT',
    duration('1s', '8760h'),
    '24h',
    'How long an image is kept that no token and no open draft uses. Longer than `CLAIM_LAPSE`.',
  ),
  chain: variable(
    'CHAIN_URL',
    chainAddress,
    'local:',
    'The chain; `local:` starts an embedded one that keeps its state in the data directory.',
  ),
  localChainPort: variable(
    'LOCAL_CHAIN_PORT',
    wholeNumber(0, 65_535),
    '0',
    'The JSON-RPC port of the embedded chain, on loopback; 0 takes any free one. Printed at start.',
  ),
  localChainSlotMs: variable(
    'LOCAL_CHAIN_SLOT_MS',
    wholeNumber(1, 60_000, 'milliseconds'),
    '400',
    'How long a slot of the embedded chain lasts.',
  ),
  localChainPrograms: variableOrElse(
    'LOCAL_CHAIN_PROGRAMS',
    programFiles,
    { value: [], shown: 'none' },
    'Programs that the embedded chain has besides its own, read at each of its starts; from `solana program dump`.',
  ),
  localChainAccounts: variableOrElse(
    'LOCAL_CHAIN_ACCOUNTS',
    accountFiles,
    { value: [], shown: 'none' },
    'Accounts that the embedded chain takes in, each once and only where it has none; from `solana account --output json`.',
  ),
  masterSeedFile: variable(
    'MASTER_SEED_FILE',
    secretFile,
    '<DATA_DIR>/master-seed',
    'The seed of every key that the service holds: 64 hexadecimal digits, mode 0600. Made on the first start if store and chain ' +
      'are both embedded. Keep a copy: whoever loses it loses the collected tax.',
  ),
  jwtKeyFile: variable(
    'JWT_KEY_FILE',
    secretFile,
    '<DATA_DIR>/jwt-key.json',
    'The key that signs access tokens: a private JWK, Ed25519 or P-256, mode 0600. Made like the seed.',
  ),
  jwtLifetimeSeconds: variable(
    'JWT_LIFETIME',
    lifetime('1s', '720h'),
    '24h',
    'How long an access token is good.',
  ),
  acceptedIssuers: variableOrElse(
    'ACCEPTED_ISSUERS',
    issuers,
    { value: [], shown: 'none' },
    'Whose access tokens are accepted besides our own.',
  ),
  allowedOrigins: variableOrElse(
    'ALLOWED_ORIGINS',
    listOf(webOrigin),
    { value: [], shown: 'none' },
    'Web pages that may call the service from a browser (CORS) and for which users may sign in.',
  ),
  trustedProxies: variableOrElse(
    'TRUSTED_PROXIES',
    listOf(addressRange),
    { value: [], shown: 'none' },
    'Proxies whose `X-Forwarded-*` headers are believed. Rate limits count by the address that results.',
  ),
  operatorKeys: variableOrElse(
    'OPERATOR_KEYS',
    operatorKeys,
    { value: [], shown: 'none' },
    'Who may call `/operator/*`, with which key; without any these routes do not exist. See [Operator keys](../how-to/operate/use-operator-routes.md#keys).',
  ),
  maxTransferFeeBasisPoints: variable(
    'MAX_TRANSFER_FEE_PERCENT',
    percentage,
    '10',
    'The highest tax with which the service creates tokens.',
  ),
  featuredPlaces: variable(
    'FEATURED_PLACES',
    wholeNumber(1, 100, 'tokens'),
    '10',
    'How many tokens can be on the featured list at a time.',
  ),
  featuredPricePerDay: variable(
    'FEATURED_PRICE_PER_DAY',
    amount('lamports'),
    '100000000',
    'What a day on the featured list costs.',
  ),
  treasury: variableOrElse(
    'TREASURY_ADDRESS',
    address,
    { value: undefined, shown: 'on the local chain an address of the seed, elsewhere none' },
    'Where promotions are paid to. Without it they are not sold.',
  ),
  launchStartRatio: variable(
    'LAUNCH_START_RATIO',
    wholeNumber(2, 10_000),
    '16',
    'How often the market cap at which a launch starts goes into its target; at the square of 4, three quarters of the tokens are ' +
      'sold on the way.',
  ),
  nonceAccountsMax: variable(
    'NONCE_ACCOUNTS_MAX',
    wholeNumber(1, 10_000, 'accounts'),
    '100',
    'How many drafts can be open at a time: each holds a nonce account, whose rent the service pays.',
  ),
  nonceAccountsMin: variable(
    'NONCE_ACCOUNTS_MIN',
    wholeNumber(0, 10_000, 'accounts'),
    '4',
    'How many nonce accounts are made at start. Not above `NONCE_ACCOUNTS_MAX`.',
  ),
  draftLifetimeMs: variable(
    'DRAFT_LIFETIME',
    duration('1ms', '24h'),
    '5m',
    'How long a transaction waits for its signature. Clients are promised five minutes.',
  ),
  settleDeadlineMs: variable(
    'SETTLE_DEADLINE',
    duration('1ms', '24h'),
    '2m',
    'How long an accepted transaction is sent again and again before it is given up.',
  ),
  submitWaitMs: variable(
    'SUBMIT_WAIT',
    duration('0s', '10m'),
    '25s',
    'How long a submit call waits for the outcome before it answers `CONFIRMATION_PENDING`.',
  ),
  claimLapseMs: variable(
    'CLAIM_LAPSE',
    duration('1ms', '24h'),
    '30s',
    'When the claims of a draft that was never recorded lapse.',
  ),
  observePauseMs: variable(
    'OBSERVE_PAUSE',
    duration('1ms', '24h'),
    '15s',
    'How long the service waits between two looks at the taxes of all adjustable tokens.',
  ),
  priorityFeeMax: variable(
    'PRIORITY_FEE_MAX',
    amount('micro-lamports per compute unit'),
    '1000000',
    'The highest priority price that is put into a transaction.',
  ),
  feePayerFloor: variable(
    'FEE_PAYER_FLOOR',
    amount('lamports'),
    '10000000',
    'The balance of the fee payer below which drafts are refused with `SERVICE_UNFUNDED`.',
  ),
  connectionsMax: variable(
    'MAX_CONNECTIONS',
    wholeNumber(1, 100_000, 'connections'),
    '5000',
    'How many connections there may be. Beyond it, the one that has been idle for longest gives way to a new one.',
  ),
  requestTimeoutMs: variable(
    'REQUEST_TIMEOUT',
    duration('100ms', '10m'),
    '30s',
    'A whole request must have arrived by then, and its head within a third of that.',
  ),
  keepAliveTimeoutMs: variable(
    'KEEP_ALIVE_TIMEOUT',
    duration('100ms', '10m'),
    '72s',
    'How long a connection is kept after an answer. Longer than a proxy keeps its own, or calls get lost between the two.',
  ),
  answerTimeoutMs: variable(
    'ANSWER_TIMEOUT',
    duration('100ms', '10m'),
    '60s',
    'A caller who has not taken a complete answer by then is cut off.',
  ),
  rateLimits: variable('RATE_LIMITS', onOff, 'on', 'Whether calls are limited; off is for load tests.'),
  rateLimitQuotas: variableOrElse(
    'RATE_LIMIT_POLICIES',
    quotas,
    { value: {}, shown: 'see [Rate limits](rate-limits.md)' },
    'How many calls are allowed in how long, where that differs from the default: `general=300/15m,featured=10/h`.',
  ),
  metricsPort: variableOrElse(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    { value: undefined, shown: 'none' },
    'The port of a listener of its own for `GET /metrics`, which asks for no key; 0 takes any free one. Printed at start.',
  ),
  metricsHost: variable(
    'METRICS_HOST',
    host,
    '127.0.0.1',
    'The address of that listener: one that only the monitoring reaches.',
  ),
  otlpEndpoint: variableOrElse(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorAddress,
    { value: undefined, shown: 'none: nothing is traced' },
    "The OpenTelemetry collector that traces are sent to, by OTLP over HTTP, at `/v1/traces`. OpenTelemetry's other variables " +
      '(`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, ...) are read by its library.',
  ),
  otelServiceName: variable(
    'OTEL_SERVICE_NAME',
    serviceName,
    'levy',
    'What the service is called in traces.',
  ),
  eventsHeartbeatMs: variable(
    'EVENTS_HEARTBEAT',
    duration('10ms', '5m'),
    '15s',
    'How often every subscriber of `GET /events` gets a sign of life; who took nothing for so long is cut off.',
  ),
  eventsBufferBytes: variable(
    'EVENTS_BUFFER',
    wholeNumber(1_024, 1_073_741_824, 'bytes'),
    '1048576',
    'How much may wait for a subscriber before it is cut off, to come back and catch up.',
  ),
  eventsSubscribersMax: variable(
    'EVENTS_SUBSCRIBERS_MAX',
    wholeNumber(0, 100_000, 'connections'),
    '2000',
    'How many subscribers `GET /events` has at a time.',
  ),
  eventsSubscribersPerAddress: variable(
    'EVENTS_SUBSCRIBERS_PER_ADDRESS',
    wholeNumber(1, 100_000, 'connections'),
    '50',
    'How many of them may come from one IP address (of IPv6, one /64).',
  ),
  publisher: variableOrElse(
    'PUBLISHER_URL',
    publisherAddress,
    { value: undefined, shown: 'none: there is `GET /events` only' },
    'The bus that all outcomes are published on: NATS JetStream. It is for systems of the operator: see [Publish on NATS](../how-to/operate/publish-on-nats.md).',
  ),
  publisherStream: variable(
    'PUBLISHER_STREAM',
    natsStreamName,
    'LEVY',
    'The stream that holds them. Made if it is not there, else used as it is set up.',
  ),
  publisherSubjectPrefix: variableOrElse(
    'PUBLISHER_SUBJECT_PREFIX',
    subjectPrefix,
    { value: '', shown: 'none' },
    "What stands before an outcome's name in its subject: with `levy.` it is `levy.tokens.created`.",
  ),
  publisherReplicas: variable(
    'PUBLISHER_REPLICAS',
    wholeNumber(1, 5, 'servers'),
    '1',
    'How many servers of a cluster keep a stream that is made.',
  ),
  publisherCredentialsFile: variableOrElse(
    'PUBLISHER_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none' },
    'A `.creds` file with the JWT and key of a NATS user. Read at every connection.',
  ),
  publisherCaFile: variableOrElse(
    'PUBLISHER_CA_FILE',
    path,
    { value: undefined, shown: 'the authorities that Node knows' },
    "Certificates (PEM) of those who sign the servers' own. With it, only encrypted connections are made.",
  ),
  logLevel: variable(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least severity that is logged.',
  ),
  shutdownTimeoutMs: variable(
    'SHUTDOWN_TIMEOUT',
    duration('0s', '10m'),
    '10s',
    'How long a stop waits for calls in progress.',
  ),
} as const;

type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

/** Every variable's value, under the name that the code knows it by. */
export type Values = { readonly [Key in keyof typeof variables]: ValueOf<(typeof variables)[Key]> };
