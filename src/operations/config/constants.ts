/**
 * Settings that are equal in every installation, with their reasons. They are part of the configuration, so that a test
 * can pass other values to `readConfiguration`; no environment variable changes them.
 */
export const constants = {
  /** Maximum number of promotions on the featured list; a page shows all of them. */
  featuredPlaces: 10,
  /**
   * Target market cap of a launch divided by its starting market cap; with 16, three quarters of the tokens are sold at
   * the target.
   */
  launchStartRatio: 16,

  /** Maximum share of a run's estimated proceeds for its estimated fees. With higher fees, the tax accumulates. */
  distributionCostsMaxBasisPoints: 1_000,
  /**
   * Maximum price movement of a token's pool by all sales of collected tax within half an hour; never more than the
   * pool's fee and the token's tax together. The rest is sold in later runs.
   */
  saleMaxImpactBasisPoints: 500,
  /** Market cap in lamports at which the desk of a test chain buys the tax of tokens without a pool. */
  deskMarketCap: 100_000_000_000n,
  /**
   * Maximum shortfall of a sale of collected tax from its quote. The chain refuses a greater one, and the sale is
   * quoted again.
   */
  saleSlippageBasisPoints: 100,
  /**
   * Maximum discount of a sale from the pool's price of the last half hour. At a greater discount the engine waits, and
   * finally leaves the tokens unsold.
   */
  saleMaxDiscountBasisPoints: 500,

  /** Lamports below which drafts are refused with `SERVICE_UNFUNDED`; enough for the transactions in progress. */
  feePayerFloor: 10_000_000n,
  /** Lamports below which no run is opened; enough for the rents and fees of open runs, which continue. */
  distributorFloor: 50_000_000n,
  /**
   * Lamports. Smaller shares of a run in SOL stay in the till for all holders of the next run, because each share
   * permanently costs a line of the ledger.
   */
  distributionLeastShare: 1_000n,
  /** Minimum payment in lamports. A wallet is owed smaller amounts until a later run. */
  distributionMinPayout: 10_000n,
  /** Number of accounts that pay the wallets of a run in parallel. Their rents are reclaimed when the run is closed. */
  distributionPots: 50,
  /** Milliseconds that a due run may wait before `/ready` reports it. */
  distributionLagMs: 300_000,

  /** Milliseconds that a draft on a durable nonce waits for its signature: enough to read it before signing. */
  draftLifetimeMs: 300_000,
  /** Milliseconds between two reads of the chain while a submission is unsettled. */
  settlePauseMs: 300,
  /** Milliseconds after which the lease of a nonce account ends if its draft was not recorded. */
  claimLapseMs: 30_000,
  /** Milliseconds between two checks of the taxes of all adjustable tokens. */
  observePauseMs: 15_000,
  /**
   * Milliseconds without a new slot of the chain node before `/ready` reports it. Its latest block may
   * be three times as old, and final blocks as far behind it. At least 50 slots of an embedded chain.
   */
  chainStallMs: 20_000,
  /**
   * Milliseconds after `SETTLE_DEADLINE` until `/ready` reports an unsettled submission: the
   * block that ends it must become final.
   */
  settleGraceMs: 60_000,

  /** Milliseconds after which an unused image is removed; longer than the creation of a draft, which needs its image. */
  unusedImagesKeptMs: 86_400_000,

  jwtLifetimeSeconds: 86_400,
  /** Maximum number of connections. Beyond it, a new connection replaces the one that has been idle longest. */
  connectionsMax: 5_000,
  /** Idle timeout in milliseconds of a connection; longer than the default of proxies, a minute. */
  keepAliveTimeoutMs: 72_000,
  /** Milliseconds that a shutdown waits for calls in progress. */
  shutdownTimeoutMs: 20_000,
  /** Milliseconds in which a request must be received; its head in a third of that. */
  requestTimeoutMs: 30_000,
  /** Milliseconds in which a client must read a response, or the unread part of a stream; then the connection is closed. */
  answerTimeoutMs: 60_000,
  /**
   * Maximum bytes of responses that wait for clients, over all connections. Above it, the longest waiting connection is
   * closed.
   */
  answersBuffer: 67_108_864,

  /** Milliseconds between heartbeats to subscribers of `GET /events`; shorter than the timeouts of proxies. */
  eventsHeartbeatMs: 15_000,
  /** Maximum bytes buffered for a subscriber. Slower subscribers are disconnected and resume where they stopped. */
  eventsBufferBytes: 1_048_576,
  /** Maximum number of subscribers of `GET /events` per process; with full buffers they use 2 GB. */
  eventsSubscribersMax: 2_000,
  /**
   * Maximum number of subscribers from one IP address (for IPv6, one /64; a /56 may have four times as many, a /48
   * sixteen times).
   */
  eventsSubscribersPerAddress: 50,
};

export type Constants = Readonly<typeof constants>;
