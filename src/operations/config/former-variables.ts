/** Variables that the service had, and what to do instead. A start that finds one set is refused, so that none is ignored silently. */

const UNSET = 'Unset it';
/** For what is decided in the code. */
const fixed = (what: string) => `${what}. ${UNSET}`;

export const formerVariables: { readonly [name: string]: string } = {
  ANSWERS_BUFFER: fixed('At most 64 MiB of answers wait for their clients'),
  ANSWER_TIMEOUT: fixed('Clients have 60 s to read an answer'),
  CHAIN_LAG: `It is three times CHAIN_STALL. ${UNSET}, and set CHAIN_STALL to a third of what it was`,
  DISTRIBUTION_LAG: fixed('/ready fails when a due run waits for longer than 5 minutes'),
  DISTRIBUTION_LEAST_SHARE: fixed('The smallest share of a run is 1000 lamports'),
  DISTRIBUTION_POTS: fixed('At most 50 accounts pay the wallets of a run side by side'),
  DISTRIBUTOR_FLOOR: fixed('The distributor opens runs from a balance of 0.05 SOL on'),
  EVENTS_BUFFER: fixed('At most 1 MiB is buffered for a subscriber'),
  EVENTS_HEARTBEAT: fixed('Subscribers receive a heartbeat every 15 s'),
  EVENTS_SUBSCRIBERS_MAX: `A process has at most 2000 subscribers. ${UNSET}; to bound all connections, set MAX_CONNECTIONS`,
  EVENTS_SUBSCRIBERS_PER_ADDRESS: `An address has at most 50 subscribers. ${UNSET}; systems of your own follow NATS (PUBLISHER_URL)`,
  EVENT_STORE_CA_FILE: `Set CA_FILE, which is for all servers, or the option tlsCAFile in EVENT_STORE_URL`,
  FEATURED_PLACES: fixed('The featured list has 10 places'),
  FEE_PAYER_FLOOR: fixed('Drafts are issued from a balance of 0.01 SOL on'),
  IMAGE_STORE_CA_FILE: 'Set CA_FILE, which is for all servers, or the option tlsCAFile in IMAGE_STORE_URL',
  IMAGE_STORE_CREDENTIALS_FILE: 'Set MONGODB_CREDENTIALS_FILE, or write another user into IMAGE_STORE_URL',
  LAUNCH_START_RATIO: fixed('A launch starts at a sixteenth of its target market cap'),
  LEDGER_STORE_CA_FILE: 'Set CA_FILE, which is for all servers, or the option tlsCAFile in LEDGER_STORE_URL',
  LEDGER_STORE_CREDENTIALS_FILE: 'Set MONGODB_CREDENTIALS_FILE, or write another user into LEDGER_STORE_URL',
  LOCAL_CHAIN_PROGRAMS: 'Add its items to LOCAL_CHAIN_ACCOUNTS, which takes programs as well',
  METRICS_HOST: 'Write the address before the port in METRICS_PORT, as in METRICS_PORT=0.0.0.0:9464',
  PUBLISHER_CA_FILE: 'Set CA_FILE, which is for all servers',
  PUBLISHER_REPLICAS: `A stream that the service creates has 3 replicas if PUBLISHER_URL names 3 servers or more, else 1. ${UNSET}, and name the servers`,
  RATE_LIMIT_POLICIES: 'Write its text into RATE_LIMITS',
  READ_MODEL_CA_FILE: 'Set CA_FILE, which is for all servers, or the option tlsCAFile in READ_MODEL_URL',
  READ_MODEL_CREDENTIALS_FILE: 'Set MONGODB_CREDENTIALS_FILE, or write another user into READ_MODEL_URL',
  REQUEST_TIMEOUT: fixed('A request has 30 s to arrive'),
  SALE_MAX_DISCOUNT_PERCENT: fixed("A sale may be 5 % under the pool's price of the last half hour"),
  SALE_SLIPPAGE_PERCENT: fixed('A sale may bring 1 % less than quoted'),
  SETTLE_GRACE: fixed('/ready fails when a submission is unsettled 1 minute after SETTLE_DEADLINE'),
  UNUSED_IMAGES_KEPT: fixed('An image that nothing uses is kept for 24 hours'),
};
