/**
 * Settings that are the same for every installation, each with its reason. They are part of the configuration, so that a test
 * can give `readConfiguration` others; no variable of the environment does.
 */
export const constants = {
  /** Places on the featured list. A page shows them all at once. */
  featuredPlaces: 10,
  /** The target market cap of a launch divided by that at its start: with 16, three quarters of the tokens are sold at the target. */
  launchStartRatio: 16,

  /** The most of a run's estimated proceeds that its estimated fees may take. Until then the tax accumulates. */
  distributionCostsMaxBasisPoints: 1_000,
  /**
   * Limit to the price movement of a token's pool by all sales of collected tax within half an hour; never more than the pool's
   * fee and the token's tax together. The rest is sold in later runs.
   */
  saleMaxImpactBasisPoints: 500,
  /** Lamports. At which market cap the desk of a test chain buys the tax of tokens without a pool. */
  deskMarketCap: 100_000_000_000n,
  /** Greatest shortfall of a sale of collected tax from its quote. The chain refuses it otherwise, and it is quoted anew. */
  saleSlippageBasisPoints: 100,
  /**
   * Greatest discount of a sale to the pool's price of the last half hour. Below it the engine waits, and then keeps the
   * tokens.
   */
  saleMaxDiscountBasisPoints: 500,

  /** Lamports. Below it drafts are refused with `SERVICE_UNFUNDED`: enough for the transactions that are under way. */
  feePayerFloor: 10_000_000n,
  /** Lamports. Below it no run is opened; open runs, whose rents and fees it covers, go on. */
  distributorFloor: 50_000_000n,
  /** Lamports. Smaller shares of a run in SOL stay in the till for all holders of the next run: each costs a line permanently. */
  distributionLeastShare: 1_000n,
  /** Lamports. The smallest payment in SOL. Below it, a wallet stays owed what it earned until a later run. */
  distributionMinPayout: 10_000n,
  /** Accounts that pay the wallets of a run in parallel. Their rents are lent until the run is closed. */
  distributionPots: 50,
  /** Longest wait of a due run to be opened before `/ready` reports it. */
  distributionLagMs: 300_000,

  /** Longest wait of a draft on a durable nonce for its signature: people read before they sign. */
  draftLifetimeMs: 300_000,
  /** The pause between two reads of the chain while a submission is to be settled. */
  settlePauseMs: 300,
  /** When the lease of a nonce account ends whose draft was never recorded. */
  claimLapseMs: 30_000,
  /** The pause between two checks of the taxes of all adjustable tokens. */
  observePauseMs: 15_000,
  /**
   * Longest time for which the chain node's slot may remain the same before `/ready` reports it. Its latest block may be three
   * times as old, and final blocks as far behind it. At least 50 slots of an embedded chain.
   */
  chainStallMs: 20_000,
  /**
   * Longest time after `SETTLE_DEADLINE` for which a submission may remain unsettled before `/ready` reports it: the block that
   * ends it has to become final.
   */
  settleGraceMs: 60_000,

  /**
   * Time for which an image is kept that no token and no open draft uses. Longer than drafts take to make, which need theirs
   * that long.
   */
  unusedImagesKeptMs: 86_400_000,

  jwtLifetimeSeconds: 86_400,
  /** The most connections. Beyond it, a new connection replaces the one that has been idle longest. */
  connectionsMax: 5_000,
  /** Time for which a connection stays open after an answer: longer than proxies keep theirs by default, which is a minute. */
  keepAliveTimeoutMs: 72_000,
  /** Longest wait of a shutdown for calls in progress. */
  shutdownTimeoutMs: 20_000,
  /** Longest time for a request to arrive; its head may take a third of that. */
  requestTimeoutMs: 30_000,
  /** Longest time for a client to read an answer, or what a stream has sent it. After that the connection is closed. */
  answerTimeoutMs: 60_000,
  /** The most bytes of answers that wait in memory for their clients, over all connections. Above it the longest waiting is closed. */
  answersBuffer: 67_108_864,

  /** The interval of heartbeats to subscribers of `GET /events`: shorter than any proxy waits. */
  eventsHeartbeatMs: 15_000,
  /** The most bytes buffered for a subscriber. Slow subscribers are disconnected and resume where they stopped. */
  eventsBufferBytes: 1_048_576,
  /** The most subscribers of `GET /events` of a process: with full buffers they take 2 GB. */
  eventsSubscribersMax: 2_000,
  /** The most subscribers from one IP address (for IPv6, one /64; a /56 may have four times as many, a /48 sixteen times). */
  eventsSubscribersPerAddress: 50,
};

export type Constants = Readonly<typeof constants>;
