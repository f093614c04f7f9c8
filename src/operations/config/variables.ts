/** List of all environment variables; the reference page, the checks and the configuration's type derive from it. */
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
import { operatorKeys, partnerKeys } from './key-lists.ts';
import { natsStreamName, subjectPrefix } from './nats-address.ts';
import { rateLimits } from './quotas.ts';
import { roleList } from './roles.ts';
import { chainFiles, issuers, logName, witnessList } from './service-kinds.ts';
import {
  address,
  addressRange,
  amount,
  duration,
  host,
  listener,
  listOf,
  oneOf,
  onOff,
  path,
  percentage,
  secretFile,
  type ValueKind,
  wholeNumber,
} from './value-kinds.ts';

export interface Variable<Value = unknown> {
  readonly name: string;
  readonly kind: ValueKind<Value>;
  readonly default: Default<Value>;
  readonly meaning: string;
  /** Reason to change the variable; absent for variables that every operator reads first. */
  readonly changedWhen?: string;
}

type Default<Value> =
  /** Parsed as if it had been set. `<NAME>` is replaced by the value or default of an earlier variable. */
  | { readonly text: string }
  /** Variant of `text` that is computed from other variables. */
  | { readonly textFrom: (texts: ReadonlyMap<string, string>) => string; readonly shown: string }
  /** Value without a text form. */
  | { readonly value: Value; readonly shown: string };

/**
 * `standard` is a text that is parsed as if it had been set, or a value. `changedWhen` is a whole sentence, for rarely
 * changed variables.
 */
function variable<Value>(
  name: string,
  kind: ValueKind<Value>,
  standard: string,
  meaning: string,
  changedWhen?: string,
): Variable<Value>;
function variable<Value, Else>(
  name: string,
  kind: ValueKind<Value>,
  standard: { readonly value: Else; readonly shown: string },
  meaning: string,
  changedWhen?: string,
): Variable<Value | Else>;
function variable(
  name: string,
  kind: ValueKind<unknown>,
  standard: string | { readonly value: unknown; readonly shown: string },
  meaning: string,
  changedWhen?: string,
): Variable {
  const defaultValue = typeof standard === 'string' ? { text: standard } : standard;
  return { name, kind, default: defaultValue, meaning, ...(changedWhen !== undefined && { changedWhen }) };
}

function readModelBeside(eventStore: string): string {
  if (!/^sqlite:/i.test(eventStore)) return 'sqlite:<DATA_DIR>/read-model.db';
  return `${eventStore.replace(/\.db$/, '')}-read-model.db`;
}

/** Listeners and stores. */
const places = {
  host: variable('HOST', host, '127.0.0.1', 'Address to listen on; `0.0.0.0` or `::` listens on all.'),
  port: variable(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'Port to listen on; 0 selects a free port. Printed at start.',
  ),
  publicUrl: variable(
    'PUBLIC_URL',
    publicAddress,
    { value: undefined, shown: 'the address that it listens on' },
    'Address at which clients reach the service. It is written into every token permanently: unless the ' +
      'chain is `local:`, it must be set, use https and a public host, and be at most 38 bytes long.',
  ),
  roles: variable(
    'ROLES',
    roleList,
    'api,projector,settler,publisher,distributor,notary',
    'Roles of this process. `settler`, `publisher`, `distributor`, `notary` and, with shared read models, ' +
      '`projector` are active in one process at a time, the holder of the lease; other processes stand by.',
  ),
  dataDirectory: variable(
    'DATA_DIR',
    path,
    './data',
    'Folder for everything that no other variable stores elsewhere.',
  ),
  eventStore: variable(
    'EVENT_STORE_URL',
    eventStoreAddress,
    'sqlite:<DATA_DIR>/levy.db',
    'Address of the event store. The scheme selects the adapter. Processes with the same event store form one service.',
  ),
  readModel: {
    name: 'READ_MODEL_URL',
    kind: readModelAddress,
    default: {
      textFrom: (texts) => readModelBeside(texts.get('EVENT_STORE_URL') ?? ''),
      shown:
        '`<log>-read-model.db` beside the log `<log>.db` in SQLite, else `sqlite:<DATA_DIR>/read-model.db`',
    },
    meaning:
      'Address of the read models: documents that queries read, built from the event store. With SQLite, each process needs its own file, other than ' +
      'the file of the event store; with MongoDB, all processes share one database, which one process with the role `projector` writes.',
  } satisfies Variable<Address>,
  imageStore: variable(
    'IMAGE_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/images',
    'Store of token images. Processes that serve or accept images share it.',
  ),
  ledgerStore: variable(
    'LEDGER_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/ledgers',
    'Store of the ledgers of distributions. Processes that pay and processes that handle calls share it. If it is lost, tokens that ' +
      'had a run are no longer distributed, so back it up with the event store.',
  ),
  caFile: variable(
    'CA_FILE',
    path,
    { value: undefined, shown: "Node's built-in authorities" },
    'Certificates (PEM) of the authorities that signed the certificates of EventStoreDB, MongoDB and NATS. It turns TLS on for MongoDB ' +
      'and NATS; `tls=false` in an address of MongoDB disables it again. An address of EventStoreDB or MongoDB may name another file (`tlsCAFile`).',
    'The event store, MongoDB or NATS has a certificate of an authority of your own.',
  ),
  eventStoreCredentialsFile: variable(
    'EVENT_STORE_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none: the user in `EVENT_STORE_URL`' },
    'File (mode 0600) with an EventStoreDB user, a colon and the password. The user must be allowed to read `$all`.',
    'The password should not be in `EVENT_STORE_URL`.',
  ),
  mongoDbCredentialsFile: variable(
    'MONGODB_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none: the users in the addresses' },
    'File (mode 0600) with a MongoDB user, a colon and the password, for MongoDB addresses without a user. The user needs the role ' +
      'readWrite on the databases of the read models, the images and the ledgers.',
    'The password should not be in the addresses of MongoDB.',
  ),
  eventStorePrefix: variable(
    'EVENT_STORE_PREFIX',
    streamPrefix,
    'levy',
    'Prefix of all stream names in EventStoreDB, followed by a dot.',
    'Several services share one EventStoreDB. Never change it afterwards.',
  ),
  leaseTtlMs: variable(
    'LEASE_TTL',
    duration('500ms', '10m'),
    '15s',
    'Time for which a lease is valid without renewal. Another process takes over the role after 1.25 times this.',
    'The event store needs longer than this to elect a leader, or another process should take over sooner.',
  ),
} as const;

/** The chain, the embedded chain, and how both are watched. */
const chains = {
  chain: variable(
    'CHAIN_URL',
    chainAddress,
    'local:',
    'Address of the Solana chain. `local:` starts an embedded chain that stores its state in `DATA_DIR`. With several nodes, ' +
      'reads go to the first healthy one, and transactions to all. See [Choose RPC ' +
      'nodes](../how-to/operate/choose-rpc-nodes.md).',
  ),
  chainWitness: variable(
    'CHAIN_WITNESS_URL',
    chainNodeAddress,
    { value: undefined, shown: 'none' },
    "Second node of the same chain, from another provider than `CHAIN_URL`'s. With it, a run is closed only when both nodes " +
      'agree. See [The witness](../how-to/operate/distribute-tax.md#the-witness).',
  ),
  priorityFeeMax: variable(
    'PRIORITY_FEE_MAX',
    amount('micro-lamports per compute unit'),
    '1000000',
    'Maximum priority fee of a transaction.',
    'Transactions do not land because the cluster is congested, or transactions cost too much.',
  ),
  localChainPort: variable(
    'LOCAL_CHAIN_PORT',
    wholeNumber(0, 65_535),
    '0',
    'JSON-RPC port of the embedded chain, on loopback; 0 selects a free port. Printed at start.',
    'Your wallets, explorers or tests connect to the embedded chain.',
  ),
  localChainSlotMs: variable(
    'LOCAL_CHAIN_SLOT_MS',
    wholeNumber(1, 60_000, 'milliseconds'),
    '250',
    'Length of a slot of the embedded chain.',
    'Tests need faster finality, which takes 32 slots.',
  ),
  localChainFiles: variable(
    'LOCAL_CHAIN_ACCOUNTS',
    chainFiles,
    { value: { programs: [], accounts: [] }, shown: 'none' },
    'Programs for the embedded chain, as dumped by `solana program dump`, and accounts, as written by `solana account --output json`. Programs are ' +
      'loaded at every start; an account that exists already is not changed.',
    'You test launches on the embedded chain, which need the program of the venue.',
  ),
} as const;

/** Callers, their keys and their quotas. */
const access = {
  masterSeedFile: variable(
    'MASTER_SEED_FILE',
    secretFile,
    '<DATA_DIR>/master-seed',
    'File (mode 0600) with the master seed, 64 hexadecimal digits. All keys of the service derive from it. Created on the first start if ' +
      'event store and chain are both embedded. Store a copy: without the seed, the collected tax is lost.',
  ),
  jwtKeyFile: variable(
    'JWT_KEY_FILE',
    secretFile,
    '<DATA_DIR>/jwt-key.json',
    'File (mode 0600) with the key that signs access tokens: a private JWK, Ed25519 or P-256. Created on the first start like the master seed.',
  ),
  operatorKeys: variable(
    'OPERATOR_KEYS',
    operatorKeys,
    { value: [], shown: 'none' },
    'Names of the operators who may call `/operator/*`, with the hashes of their keys. Without operators, these routes do not exist. See [Operator keys](../how-to/operate/use-operator-routes.md#keys).',
  ),
  allowedOrigins: variable(
    'ALLOWED_ORIGINS',
    listOf(webOrigin),
    { value: [], shown: 'none' },
    'Origins of web pages that may call the service from a browser (CORS) and ask users to sign in.',
  ),
  console: variable(
    'CONSOLE',
    onOff,
    'on',
    'Serves the web console at `/console/` and redirects browsers there from `/`; otherwise `/` redirects to `/docs/`.',
    'Users have another page.',
  ),
  trustedProxies: variable(
    'TRUSTED_PROXIES',
    listOf(addressRange),
    { value: [], shown: 'none' },
    'Proxies whose `X-Forwarded-*` headers are trusted. Rate limits count by the resulting address.',
  ),
  rateLimits: variable(
    'RATE_LIMITS',
    rateLimits,
    'on',
    'Rate limits: `on`, `off`, or differences from [the defaults](rate-limits.md), as calls per period: `general=300/15m,featured=10/h`.',
    'Callers are refused too early, or a caller calls too often. `off` is for load tests.',
  ),
  partnerKeys: variable(
    'PARTNER_KEYS',
    partnerKeys,
    { value: [], shown: 'none' },
    'Partners whose calls are counted by partner instead of by address, and the hashes of their keys: `acme:<hash>:general=10000/15m;create-unsigned=1000/h`. See [Partners](../how-to/operate/configure-rate-limits.md#partners).',
    'A launchpad calls for many users from few addresses.',
  ),
  acceptedIssuers: variable(
    'ACCEPTED_ISSUERS',
    issuers,
    { value: [], shown: 'none' },
    'Other issuers whose access tokens the service accepts.',
    'Users sign in at another service.',
  ),
} as const;

/** Drafts of transactions, and their submission. */
const drafts = {
  nonceAccountsMax: variable(
    'NONCE_ACCOUNTS_MAX',
    wholeNumber(1, 10_000, 'accounts'),
    '100',
    'Maximum number of open drafts. Each uses a nonce account, whose rent the service pays.',
    'Drafts are refused with `DRAFTS_EXHAUSTED`.',
  ),
  nonceAccountsMin: variable(
    'NONCE_ACCOUNTS_MIN',
    wholeNumber(0, 10_000, 'accounts'),
    '4',
    'Number of nonce accounts created at start. At most `NONCE_ACCOUNTS_MAX`.',
    'Many users are expected at the same time, and should not wait for new accounts.',
  ),
  draftLifetimeKind: variable(
    'DRAFT_LIFETIME_KIND',
    oneOf('durable-nonce', 'recent-blockhash'),
    'durable-nonce',
    'Validity of drafts. `durable-nonce`: five minutes, on nonce accounts of the service. `recent-blockhash`: about 150 ' +
      'blocks, without nonce accounts. Open drafts retain their kind.',
    'Solana ends durable nonces (SIMD-0723). See [Run without durable nonces](../how-to/operate/run-without-durable-nonces.md).',
  ),
  submitWaitMs: variable(
    'SUBMIT_WAIT',
    duration('0s', '10m'),
    '25s',
    'Time for which a submit call waits for the outcome before it returns `CONFIRMATION_PENDING`.',
    'A proxy in front has a shorter time limit.',
  ),
  settleDeadlineMs: variable(
    'SETTLE_DEADLINE',
    duration('1ms', '24h'),
    '2m',
    'Time for which the service resends an accepted transaction.',
    'The cluster is congested, and transactions need longer to land.',
  ),
} as const;

/** Promotions and distributions. */
const business = {
  treasury: variable(
    'TREASURY_ADDRESS',
    address,
    { value: undefined, shown: 'on the local chain an address derived from the master seed, elsewhere none' },
    'Address that receives payments for promotions. Without it, promotions are not sold.',
  ),
  featuredPricePerDay: variable(
    'FEATURED_PRICE_PER_DAY',
    amount('lamports'),
    '100000000',
    'Price of a day on the featured list.',
    'You set your own price.',
  ),
  maxTransferFeeBasisPoints: variable(
    'MAX_TRANSFER_FEE_PERCENT',
    percentage,
    '10',
    'Maximum tax of a token.',
    'You accept only lower taxes, or higher ones.',
  ),
  maxPartnerShareBasisPoints: variable(
    'MAX_PARTNER_SHARE_PERCENT',
    percentage,
    '50',
    "Maximum share of a partner in the developer's part of a token's tax.",
    'A partner asks for a larger share.',
  ),
  distributionAnnounceMs: variable(
    'DISTRIBUTION_ANNOUNCE',
    duration('0s', '168h'),
    '0s',
    "Time between the publication of a run's ledger and its first payment.",
    'Holders should be able to check a ledger before it is paid.',
  ),
  distributionHolding: variable(
    'DISTRIBUTION_HOLDING',
    oneOf('now', 'least-of-two'),
    'now',
    "Balance that counts for a holder: `now` is the balance at the run's scan, and `least-of-two` is the smaller one of that balance and the " +
      "balance at the previous scan. A token's first run uses `now`.",
    'Wallets hold tokens only during scans.',
  ),
  distributionSelfCostsPerDay: variable(
    'DISTRIBUTION_SELF_COSTS_PER_DAY',
    amount('lamports'),
    '5000000',
    'Maximum cost per token and day of distributions in the token itself. The operator bears this cost, because its fees are not repaid.',
    'Distributions in tokens cost you too much, or wait for the next day.',
  ),
  distributionTokensAtOnce: variable(
    'DISTRIBUTION_TOKENS_AT_ONCE',
    wholeNumber(1, 1_000, 'tokens'),
    '16',
    'Number of tokens whose runs advance concurrently.',
    "The provider's call limit is reached, or due runs wait for each other.",
  ),
} as const;

/** Outputs of the service: the bus, the transparency log, the monitoring and the process log. */
const watching = {
  publisher: variable(
    'PUBLISHER_URL',
    publisherAddress,
    { value: undefined, shown: 'none: events are available only at `GET /events`' },
    "NATS JetStream server to which all outcomes are published, for the operator's systems. See [Publish on NATS](../how-to/operate/publish-on-nats.md).",
  ),
  metrics: variable(
    'METRICS_PORT',
    listener,
    { value: undefined, shown: 'none' },
    'Separate listener for `GET /metrics` without a key: a port on loopback, or an address and a port, such as `0.0.0.0:9464`. Only the monitoring ' +
      'should reach it. Port 0 selects a free port. Printed at start.',
  ),
  logLevel: variable(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level that is logged.',
  ),
  publisherStream: variable(
    'PUBLISHER_STREAM',
    natsStreamName,
    'LEVY',
    'JetStream stream of the events. A missing stream is created, with 3 replicas if `PUBLISHER_URL` contains at least 3 servers, else 1.',
    'Several services publish to one NATS account, or you use an existing stream.',
  ),
  publisherSubjectPrefix: variable(
    'PUBLISHER_SUBJECT_PREFIX',
    subjectPrefix,
    { value: '', shown: 'none' },
    'Prefix of subjects: with `levy.`, `tokens.created` becomes `levy.tokens.created`.',
    'Several services publish to one NATS account.',
  ),
  publisherCredentialsFile: variable(
    'PUBLISHER_CREDENTIALS_FILE',
    secretFile,
    { value: undefined, shown: 'none' },
    '`.creds` file with the JWT and the key of a NATS user. Read at every connection.',
    'The NATS server requires a JWT.',
  ),
  logOrigin: variable(
    'LOG_ORIGIN',
    logName,
    {
      value: undefined,
      shown: 'the existing name; for a new log `PUBLIC_URL` without its scheme, and `/log`',
    },
    'Name under which the transparency log is signed. Another name starts a new log, and leaves the old log unchanged.',
    'You start a new transparency log. See [When the notary stops](../how-to/operate/run-the-notary.md#when-it-stops).',
  ),
  witnesses: variable(
    'WITNESSES',
    witnessList,
    { value: [], shown: 'none' },
    'Witnesses that are requested to sign each checkpoint of the transparency log.',
    'Others cosign the transparency log. See [Witnesses](../how-to/operate/run-the-notary.md#witnesses).',
  ),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorAddress,
    { value: undefined, shown: 'none: tracing is off' },
    "OpenTelemetry collector that receives traces by OTLP over HTTP, at `/v1/traces`. OpenTelemetry's other variables " +
      '(`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, ...) work too: its library reads them.',
    'You collect traces.',
  ),
} as const;

/** In the order of the reference page; a default may refer to earlier variables. */
export const variables = { ...places, ...chains, ...access, ...drafts, ...business, ...watching } as const;

export const groups: readonly { readonly title: string; readonly variables: readonly Variable[] }[] = [
  { title: 'Servers and files', variables: Object.values<Variable>(places) },
  { title: 'The chain', variables: Object.values<Variable>(chains) },
  { title: 'Callers', variables: Object.values<Variable>(access) },
  { title: 'Drafts and submissions', variables: Object.values<Variable>(drafts) },
  { title: 'Promotions and distributions', variables: Object.values<Variable>(business) },
  { title: 'The bus, the transparency log and the monitoring', variables: Object.values<Variable>(watching) },
];

type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

/** Values of all variables, by their names in the code. */
export type Values = { readonly [Key in keyof typeof variables]: ValueOf<(typeof variables)[Key]> };
