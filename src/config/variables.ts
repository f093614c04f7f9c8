/** Lists all environment variables. The reference page, the checks and the configuration's type follow from this list. */
import {
  type Address,
  chainAddress,
  chainNodeAddress,
  collectorAddress,
  eventStoreAddress,
  fileStoreAddress,
  publicAddress,
  publisherAddress,
  readModelAddress,
  streamPrefix,
  webOrigin,
} from './address-kinds.ts';
import { accountFiles, programFiles } from './local-chain-kinds.ts';
import { logName, witnessList } from './log-kinds.ts';
import { natsStreamName, subjectPrefix } from './nats-address.ts';
import { operatorKeys } from './operator-keys.ts';
import { partnerKeys } from './partner-keys.ts';
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
  percentageWithin,
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
  /** Parsed as if it had been set. `<NAME>` stands for the value or default of an earlier variable. */
  | { readonly text: string }
  /** Like `text`, but computed from other variables. */
  | { readonly textFrom: (texts: ReadonlyMap<string, string>) => string; readonly shown: string }
  /** A value that no text stands for. */
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

function mongoDbCaFile(of: string): Variable<string | undefined> {
  return variableOrElse(
    `${of}_CA_FILE`,
    path,
    { value: undefined, shown: 'the authorities that Node knows' },
    `The certificates (PEM) of the authorities that signed the certificate of MongoDB at \`${of}_URL\`. It turns TLS on.`,
  );
}

function mongoDbCredentialsFile(of: string, right: string): Variable<string | undefined> {
  return variableOrElse(
    `${of}_CREDENTIALS_FILE`,
    secretFile,
    { value: undefined, shown: `none: the user in \`${of}_URL\`` },
    `A file (mode 0600) with a MongoDB user, a colon and the password. The user needs the role ${right}.`,
  );
}

export const variables = {
  host: variable('HOST', host, '127.0.0.1', 'The address to listen on; `0.0.0.0` or `::` listens on all.'),
  port: variable(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'The port to listen on; 0 takes a free one. Printed at start.',
  ),
  publicUrl: variableOrElse(
    'PUBLIC_URL',
    publicAddress,
    { value: undefined, shown: 'where it listens' },
    'The address under which clients reach the service. It is written into every token for ever: unless the chain is `local:`, it must be ' +
      'set, use https and a public host, and be at most 38 bytes long.',
  ),
  dataDirectory: variable(
    'DATA_DIR',
    path,
    './data',
    'The folder for everything that no other variable stores elsewhere.',
  ),
  eventStore: variable(
    'EVENT_STORE_URL',
    eventStoreAddress,
    'sqlite:<DATA_DIR>/levy.db',
    'The event store. The scheme chooses the adapter. Processes with the same event store form one service.',
  ),
  eventStorePrefix: variable(
    'EVENT_STORE_PREFIX',
    streamPrefix,
    'levy',
    'The prefix of all stream names in EventStoreDB, followed by a dot, so that several services can share a server. Never change it.',
  ),
  eventStoreCaFile: variableOrElse(
    'EVENT_STORE_CA_FILE',
    path,
    { value: undefined, shown: 'the authorities that Node knows' },
    "The certificates (PEM) of the authorities that signed EventStoreDB's certificate.",
  ),
  eventStoreCredentialsFile: variableOrElse(
    'EVENT_STORE_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none: the user in `EVENT_STORE_URL`' },
    'A file (mode 0600) with an EventStoreDB user, a colon and the password. The user must be allowed to read `$all`.',
  ),
  roles: variable(
    'ROLES',
    roleList,
    'api,projector,settler,publisher,distributor,notary',
    'The roles of this process. One process at a time acts as `settler`, one as `publisher`, one as `distributor`, one as `notary` and, where read models ' +
      'are shared, one as `projector`: the holder of the lease. The others stand by.',
  ),
  leaseTtlMs: variable(
    'LEASE_TTL',
    duration('500ms', '10m'),
    '15s',
    'How long a lease is valid without renewal. Another process takes the role over after 1.25 times this. It must be longer than the event ' +
      'store needs to elect a leader.',
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
    meaning:
      'The read models: documents that queries read, built from the event store. With SQLite each process needs a file of its own; in MongoDB ' +
      'all processes share one database, which one of them with the role `projector` writes.',
  } satisfies Variable<Address>,
  readModelCaFile: mongoDbCaFile('READ_MODEL'),
  readModelCredentialsFile: mongoDbCredentialsFile(
    'READ_MODEL',
    'readWrite on the database of the read models',
  ),
  imageStore: variable(
    'IMAGE_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/images',
    'The store of token images. Processes that serve or take images share it.',
  ),
  imageStoreCaFile: mongoDbCaFile('IMAGE_STORE'),
  imageStoreCredentialsFile: mongoDbCredentialsFile('IMAGE_STORE', 'readWrite on the database of the images'),
  unusedImagesKeptMs: variable(
    'UNUSED_IMAGES_KEPT',
    duration('1s', '8760h'),
    '24h',
    'How long an image is kept that no token and no open draft uses. It must be longer than `CLAIM_LAPSE`.',
  ),
  ledgerStore: variable(
    'LEDGER_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/ledgers',
    'The store of the ledgers of distributions. The processes that pay and those that answer calls share it. Losing it stops distributions ' +
      'of tokens that had a run: back it up with the event store.',
  ),
  ledgerStoreCaFile: mongoDbCaFile('LEDGER_STORE'),
  ledgerStoreCredentialsFile: mongoDbCredentialsFile(
    'LEDGER_STORE',
    'readWrite on the database of the ledgers',
  ),
  logOrigin: variableOrElse(
    'LOG_ORIGIN',
    logName,
    {
      value: undefined,
      shown: 'the name that the log began with; of a new one `PUBLIC_URL` without its scheme, and `/log`',
    },
    'The name under which the transparency log is signed. Another name begins a new log, and leaves the old one as it is. See ' +
      '[When the notary stops](../how-to/operate/run-the-notary.md#when-it-stops).',
  ),
  witnesses: variableOrElse(
    'WITNESSES',
    witnessList,
    { value: [], shown: 'none' },
    'The witnesses that are asked to sign each checkpoint of the transparency log. See [Witnesses](../how-to/operate/run-the-notary.md#witnesses).',
  ),
  chain: variable(
    'CHAIN_URL',
    chainAddress,
    'local:',
    'The Solana chain. `local:` starts an embedded chain that keeps its state in `DATA_DIR`. Of several nodes, reads are asked of the first that ' +
      'is well, and transactions are sent to all. See [Choose nodes](../how-to/operate/choose-nodes.md).',
  ),
  chainStallMs: variable(
    'CHAIN_STALL',
    duration('1ms', '24h'),
    '20s',
    "How long the chain node's slot may remain the same before `/ready` says so. At least 50 slots of an embedded chain.",
  ),
  chainLagMs: variable(
    'CHAIN_LAG',
    duration('1ms', '24h'),
    '1m',
    "How old the chain node's latest block may be, and how far final blocks may lie behind it, before `/ready` says so. At least 150 slots of an embedded chain.",
  ),
  chainWitness: variableOrElse(
    'CHAIN_WITNESS_URL',
    chainNodeAddress,
    { value: undefined, shown: 'none' },
    "A second node of the same chain, of another provider than `CHAIN_URL`'s. With it, a distribution closes its books only when both nodes " +
      'show the same. See [The witness](../how-to/operate/distribute-tax.md#the-witness).',
  ),
  localChainPort: variable(
    'LOCAL_CHAIN_PORT',
    wholeNumber(0, 65_535),
    '0',
    'The JSON-RPC port of the embedded chain, on loopback; 0 takes a free one. Printed at start.',
  ),
  localChainSlotMs: variable(
    'LOCAL_CHAIN_SLOT_MS',
    wholeNumber(1, 60_000, 'milliseconds'),
    '250',
    'The length of a slot of the embedded chain.',
  ),
  localChainNonces: variable(
    'LOCAL_CHAIN_NONCES',
    onOff,
    'on',
    'Whether the embedded chain has durable nonces. `off`: as Solana without them (SIMD-0723), to try `DRAFT_LIFETIME_KIND=recent-blockhash`.',
  ),
  localChainPrograms: variableOrElse(
    'LOCAL_CHAIN_PROGRAMS',
    programFiles,
    { value: [], shown: 'none' },
    'Additional programs of the embedded chain, as dumped by `solana program dump`. Loaded at every start.',
  ),
  localChainAccounts: variableOrElse(
    'LOCAL_CHAIN_ACCOUNTS',
    accountFiles,
    { value: [], shown: 'none' },
    'Accounts to load into the embedded chain, as written by `solana account --output json`. An account that exists already is not changed.',
  ),
  masterSeedFile: variable(
    'MASTER_SEED_FILE',
    secretFile,
    '<DATA_DIR>/master-seed',
    'A file (mode 0600) with the master seed, 64 hexadecimal digits. All keys of the service derive from it. Made on the first start if ' +
      'event store and chain are both embedded. Keep a copy: without the seed, the collected tax is lost.',
  ),
  jwtKeyFile: variable(
    'JWT_KEY_FILE',
    secretFile,
    '<DATA_DIR>/jwt-key.json',
    'A file (mode 0600) with the key that signs access tokens: a private JWK, Ed25519 or P-256. Made on the first start like the master seed.',
  ),
  jwtLifetimeSeconds: variable(
    'JWT_LIFETIME',
    lifetime('1s', '720h'),
    '24h',
    'How long an access token is valid.',
  ),
  acceptedIssuers: variableOrElse(
    'ACCEPTED_ISSUERS',
    issuers,
    { value: [], shown: 'none' },
    'Other issuers whose access tokens the service accepts.',
  ),
  allowedOrigins: variableOrElse(
    'ALLOWED_ORIGINS',
    listOf(webOrigin),
    { value: [], shown: 'none' },
    'Origins of web pages that may call the service from a browser (CORS) and ask users to sign in.',
  ),
  trustedProxies: variableOrElse(
    'TRUSTED_PROXIES',
    listOf(addressRange),
    { value: [], shown: 'none' },
    'Proxies whose `X-Forwarded-*` headers are trusted. Rate limits count by the resulting address.',
  ),
  operatorKeys: variableOrElse(
    'OPERATOR_KEYS',
    operatorKeys,
    { value: [], shown: 'none' },
    'The operators who may call `/operator/*`, and the hashes of their keys. Without any, these routes do not exist. See [Operator keys](../how-to/operate/use-operator-routes.md#keys).',
  ),
  partnerKeys: variableOrElse(
    'PARTNER_KEYS',
    partnerKeys,
    { value: [], shown: 'none' },
    'Partners, such as launchpads, whose calls are counted by partner instead of by address, and the hashes of their keys: `acme:<hash>:general=10000/15m;create-unsigned=1000/h`. See [Partners](../how-to/operate/limit-calls.md#partners).',
  ),
  maxTransferFeeBasisPoints: variable(
    'MAX_TRANSFER_FEE_PERCENT',
    percentage,
    '10',
    'The highest tax that the service accepts for a token.',
  ),
  featuredPlaces: variable(
    'FEATURED_PLACES',
    wholeNumber(1, 100, 'tokens'),
    '10',
    'The number of places on the featured list.',
  ),
  featuredPricePerDay: variable(
    'FEATURED_PRICE_PER_DAY',
    amount('lamports'),
    '100000000',
    'The price of a day on the featured list.',
  ),
  treasury: variableOrElse(
    'TREASURY_ADDRESS',
    address,
    { value: undefined, shown: 'on the local chain an address derived from the master seed, elsewhere none' },
    'The address that receives payments for promotions. Without it, promotions are not sold.',
  ),
  launchStartRatio: variable(
    'LAUNCH_START_RATIO',
    wholeNumber(2, 10_000),
    '16',
    'The target market cap of a launch divided by its market cap at the start. With 16, three quarters of the tokens are sold when the ' +
      'target is reached.',
  ),
  saleMaxImpactBasisPoints: variable(
    'SALE_MAX_IMPACT_PERCENT',
    percentageWithin(1, 10_000),
    '5',
    "How far the sales of collected tax within half an hour may move the price of a token's pool together; never further than the pool's fee and the token's tax together. What would move it further is kept for later runs.",
  ),
  saleSlippageBasisPoints: variable(
    'SALE_SLIPPAGE_PERCENT',
    percentageWithin(0, 5_000),
    '1',
    'How much less than quoted a sale of collected tax may bring. The chain refuses it otherwise, and it is quoted anew.',
  ),
  saleMaxDiscountBasisPoints: variable(
    'SALE_MAX_DISCOUNT_PERCENT',
    percentageWithin(0, 5_000),
    '5',
    "How far under the pool's price of the last half hour a sale of collected tax may be. Under it the engine waits, and then keeps the tokens.",
  ),
  deskMarketCap: variable(
    'DESK_MARKET_CAP',
    amount('lamports'),
    '100000000000',
    'The market cap at which the desk buys the collected tax of tokens without a pool; 0 closes it. See [The desk](../how-to/operate/run-a-desk.md).',
  ),
  deskMints: variableOrElse(
    'DESK_MINTS',
    listOf(address),
    { value: undefined, shown: 'on the local chain every token, elsewhere none' },
    'The mints of the tokens that the desk buys. On other chains than `local:` it needs `DESK_BUDGET`.',
  ),
  deskBudget: variableOrElse(
    'DESK_BUDGET',
    amount('lamports'),
    { value: undefined, shown: 'on the local chain without end, elsewhere nothing' },
    'The most that the desk pays in all, from its first purchase on. On other chains than `local:` it needs `DESK_MINTS`.',
  ),
  nonceAccountsMax: variable(
    'NONCE_ACCOUNTS_MAX',
    wholeNumber(1, 10_000, 'accounts'),
    '100',
    'The most drafts that can be open at a time. Each uses a nonce account, whose rent the service pays.',
  ),
  nonceAccountsMin: variable(
    'NONCE_ACCOUNTS_MIN',
    wholeNumber(0, 10_000, 'accounts'),
    '4',
    'The number of nonce accounts made at start. At most `NONCE_ACCOUNTS_MAX`.',
  ),
  draftLifetimeKind: variable(
    'DRAFT_LIFETIME_KIND',
    oneOf('durable-nonce', 'recent-blockhash'),
    'durable-nonce',
    'How the bytes of a draft stay valid. `durable-nonce`: for as long as the draft, on nonce accounts of the service. `recent-blockhash`: for about 150 ' +
      'blocks, after which clients refresh them; needs no nonce accounts. Open drafts keep the kind that they have. See ' +
      '[Drafts without durable nonces](../how-to/operate/leave-durable-nonces.md).',
  ),
  draftLifetimeMs: variable(
    'DRAFT_LIFETIME',
    duration('1ms', '24h'),
    '5m',
    'How long a draft waits for its signature. Clients are promised five minutes.',
  ),
  settleDeadlineMs: variable(
    'SETTLE_DEADLINE',
    duration('1ms', '24h'),
    '2m',
    'How long the service keeps sending an accepted transaction before it gives up.',
  ),
  settleGraceMs: variable(
    'SETTLE_GRACE',
    duration('1ms', '24h'),
    '1m',
    'How long after `SETTLE_DEADLINE` a submission may remain unsettled before `/ready` says so: what ends it has to become final.',
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
    'When claims expire whose draft was never recorded.',
  ),
  observePauseMs: variable(
    'OBSERVE_PAUSE',
    duration('1ms', '24h'),
    '15s',
    'The pause between two checks of the taxes of all adjustable tokens.',
  ),
  priorityFeeMax: variable(
    'PRIORITY_FEE_MAX',
    amount('micro-lamports per compute unit'),
    '1000000',
    'The highest priority price of a transaction.',
  ),
  feePayerFloor: variable(
    'FEE_PAYER_FLOOR',
    amount('lamports'),
    '10000000',
    'The lowest balance of the fee payer. Below it, drafts are refused with `SERVICE_UNFUNDED`.',
  ),
  distributorFloor: variable(
    'DISTRIBUTOR_FLOOR',
    amount('lamports'),
    '50000000',
    'The lowest balance of the distributor, which pays the fees of distributions and lends the rents. Below it no run is opened; open runs ' +
      'go on.',
  ),
  distributionAnnounceMs: variable(
    'DISTRIBUTION_ANNOUNCE',
    duration('0s', '168h'),
    '0s',
    'How long a run waits between the publication of its ledger and the first payment.',
  ),
  distributionHolding: variable(
    'DISTRIBUTION_HOLDING',
    oneOf('now', 'least-of-two'),
    'now',
    "What counts as a holder's balance: `now` is the one at the run's scan, `least-of-two` the lesser of it and the one at the scan before. " +
      "A token's first run goes by `now`.",
  ),
  distributionLeastShare: variable(
    'DISTRIBUTION_LEAST_SHARE',
    amount('lamports'),
    '1000',
    'The smallest share of a run in SOL. Smaller ones stay in the till, for all holders of the next run.',
  ),
  distributionMinPayout: variable(
    'DISTRIBUTION_MIN_PAYOUT',
    amount('lamports'),
    '10000',
    'The smallest payment in SOL. Below it, a wallet stays owed what it earned until a later run.',
  ),
  distributionCostsMaxBasisPoints: variable(
    'DISTRIBUTION_COSTS_MAX_PERCENT',
    percentage,
    '10',
    "The most of a run's estimated proceeds that its estimated fees may take. Until then the tax goes on gathering.",
  ),
  distributionSelfCostsPerDay: variable(
    'DISTRIBUTION_SELF_COSTS_PER_DAY',
    amount('lamports'),
    '5000000',
    'The most that distributions in the token itself may cost the operator for a token in a day: nothing repays their fees.',
  ),
  distributionPots: variable(
    'DISTRIBUTION_POTS',
    wholeNumber(1, 200, 'pots'),
    '50',
    'The most accounts that pay the wallets of a run side by side. Their rents are lent until the run is closed.',
  ),
  distributionTokensAtOnce: variable(
    'DISTRIBUTION_TOKENS_AT_ONCE',
    wholeNumber(1, 1_000, 'tokens'),
    '16',
    'The number of tokens whose runs advance side by side.',
  ),
  distributionLagMs: variable(
    'DISTRIBUTION_LAG',
    duration('1s', '168h'),
    '5m',
    'How long a due run may wait to be opened before `/ready` says so.',
  ),
  connectionsMax: variable(
    'MAX_CONNECTIONS',
    wholeNumber(1, 100_000, 'connections'),
    '5000',
    'The most connections. Beyond it, a new connection replaces the one that has been idle longest.',
  ),
  requestTimeoutMs: variable(
    'REQUEST_TIMEOUT',
    duration('100ms', '10m'),
    '30s',
    'How long a request may take to arrive; its head may take a third of that.',
  ),
  keepAliveTimeoutMs: variable(
    'KEEP_ALIVE_TIMEOUT',
    duration('100ms', '10m'),
    '72s',
    'How long a connection stays open after an answer. It must be longer than the keep-alive time of a proxy in front, or calls get lost.',
  ),
  answerTimeoutMs: variable(
    'ANSWER_TIMEOUT',
    duration('100ms', '10m'),
    '60s',
    'How long a client may take to read an answer. After that the connection is closed.',
  ),
  answersBuffer: variable(
    'ANSWERS_BUFFER',
    wholeNumber(8_388_608, 17_179_869_184, 'bytes'),
    '67108864',
    'The most bytes of answers that wait in memory until their clients read them, over all connections. Above it, the connection that has ' +
      'waited longest is closed.',
  ),
  rateLimits: variable('RATE_LIMITS', onOff, 'on', 'Turns rate limits on or off. `off` is for load tests.'),
  rateLimitQuotas: variableOrElse(
    'RATE_LIMIT_POLICIES',
    quotas,
    { value: {}, shown: 'see [Rate limits](rate-limits.md)' },
    'Rate limits that differ from the defaults, as calls per period: `general=300/15m,featured=10/h`.',
  ),
  metricsPort: variableOrElse(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    { value: undefined, shown: 'none' },
    'The port of a separate listener for `GET /metrics` that needs no key; 0 takes a free one. Printed at start.',
  ),
  metricsHost: variable(
    'METRICS_HOST',
    host,
    '127.0.0.1',
    'The address of that listener. Only the monitoring should reach it.',
  ),
  otlpEndpoint: variableOrElse(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorAddress,
    { value: undefined, shown: 'none: tracing is off' },
    "The OpenTelemetry collector that receives traces by OTLP over HTTP, at `/v1/traces`. OpenTelemetry's other variables " +
      '(`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, ...) work too: its library reads them.',
  ),
  otelServiceName: variable('OTEL_SERVICE_NAME', serviceName, 'levy', 'The name of the service in traces.'),
  eventsHeartbeatMs: variable(
    'EVENTS_HEARTBEAT',
    duration('10ms', '5m'),
    '15s',
    'The interval of heartbeats to subscribers of `GET /events`. A subscriber that read nothing since the last one is disconnected.',
  ),
  eventsBufferBytes: variable(
    'EVENTS_BUFFER',
    wholeNumber(1_024, 1_073_741_824, 'bytes'),
    '1048576',
    'The most bytes buffered for a subscriber. Slow subscribers are disconnected and resume where they stopped.',
  ),
  eventsSubscribersMax: variable(
    'EVENTS_SUBSCRIBERS_MAX',
    wholeNumber(0, 100_000, 'connections'),
    '2000',
    'The most subscribers of `GET /events` at a time.',
  ),
  eventsSubscribersPerAddress: variable(
    'EVENTS_SUBSCRIBERS_PER_ADDRESS',
    wholeNumber(1, 100_000, 'connections'),
    '50',
    'The most subscribers from one IP address (for IPv6, one /64).',
  ),
  publisher: variableOrElse(
    'PUBLISHER_URL',
    publisherAddress,
    { value: undefined, shown: 'none: events are only at `GET /events`' },
    'The NATS JetStream server that all events are published to, for the systems of the operator. See [Publish on NATS](../how-to/operate/publish-on-nats.md).',
  ),
  publisherStream: variable(
    'PUBLISHER_STREAM',
    natsStreamName,
    'LEVY',
    'The JetStream stream of these events. Created if it does not exist, else used as it is.',
  ),
  publisherSubjectPrefix: variableOrElse(
    'PUBLISHER_SUBJECT_PREFIX',
    subjectPrefix,
    { value: '', shown: 'none' },
    'The prefix of subjects: with `levy.`, `tokens.created` becomes `levy.tokens.created`.',
  ),
  publisherReplicas: variable(
    'PUBLISHER_REPLICAS',
    wholeNumber(1, 5, 'servers'),
    '1',
    'The number of replicas of a stream that the service creates.',
  ),
  publisherCredentialsFile: variableOrElse(
    'PUBLISHER_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none' },
    'A `.creds` file with the JWT and the key of a NATS user. Read at every connection.',
  ),
  publisherCaFile: variableOrElse(
    'PUBLISHER_CA_FILE',
    path,
    { value: undefined, shown: 'the authorities that Node knows' },
    "The certificates (PEM) of the authorities that signed the NATS servers' certificates. With it, all connections are encrypted.",
  ),
  logLevel: variable(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The lowest level that is logged.',
  ),
  shutdownTimeoutMs: variable(
    'SHUTDOWN_TIMEOUT',
    duration('0s', '10m'),
    '10s',
    'How long a shutdown waits for calls in progress.',
  ),
} as const;

type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

/** The values of all variables, by their names in the code. */
export type Values = { readonly [Key in keyof typeof variables]: ValueOf<(typeof variables)[Key]> };
