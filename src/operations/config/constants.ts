/**
 * Settings that are the same for every installation, each with its reason. They are part of the configuration, so that a test
 * can give `readConfiguration` others; no variable of the environment does.
 */
export interface Constants {
  /** Places on the featured list. A page shows them all at once. */
  readonly featuredPlaces: number;
  /** The target market cap of a launch divided by that at its start: with 16, three quarters of the tokens are sold at the target. */
  readonly launchStartRatio: number;

  /** The most of a run's estimated proceeds that its estimated fees may take. Until then the tax accumulates. */
  readonly distributionCostsMaxBasisPoints: number;
  /**
   * How far the sales of collected tax within half an hour may move the price of a token's pool together; never further than the
   * pool's fee and the token's tax together. The rest is sold in later runs.
   */
  readonly saleMaxImpactBasisPoints: number;
  /** Lamports. At which market cap the desk of a test chain buys the tax of tokens without a pool. */
  readonly deskMarketCap: bigint;
  /** How much less than quoted a sale of collected tax may bring. The chain refuses it otherwise, and it is quoted anew. */
  readonly saleSlippageBasisPoints: number;
  /** How far under the pool's price of the last half hour a sale may be. Under it the engine waits, and then keeps the tokens. */
  readonly saleMaxDiscountBasisPoints: number;

  /** Lamports. Below it drafts are refused with `SERVICE_UNFUNDED`: enough for the transactions that are under way. */
  readonly feePayerFloor: bigint;
  /** Lamports. Below it no run is opened; open runs, whose rents and fees it covers, go on. */
  readonly distributorFloor: bigint;
  /** Lamports. Smaller shares of a run in SOL stay in the till for all holders of the next run: each costs a line for ever. */
  readonly distributionLeastShare: bigint;
  /** Accounts that pay the wallets of a run side by side. Their rents are lent until the run is closed. */
  readonly distributionPots: number;
  /** How long a due run may wait to be opened before `/ready` says so. */
  readonly distributionLagMs: number;

  /** How long a draft on a durable nonce waits for its signature: people read before they sign. */
  readonly draftLifetimeMs: number;
  /** When the lease of a nonce account ends whose draft was never recorded. */
  readonly claimLapseMs: number;
  /** The pause between two checks of the taxes of all adjustable tokens. */
  readonly observePauseMs: number;
  /**
   * How long the chain node's slot may remain the same before `/ready` says so. Its latest block may be three times as old, and
   * final blocks as far behind it. At least 50 slots of an embedded chain.
   */
  readonly chainStallMs: number;
  /** How long after `SETTLE_DEADLINE` a submission may remain unsettled before `/ready` says so: what ends it has to become final. */
  readonly settleGraceMs: number;

  /** How long an image is kept that no token and no open draft uses. Longer than drafts take to make, which need theirs that long. */
  readonly unusedImagesKeptMs: number;

  readonly jwtLifetimeSeconds: number;
  /** The most connections. Beyond it, a new connection replaces the one that has been idle longest. */
  readonly connectionsMax: number;
  /** How long a connection stays open after an answer: longer than proxies keep theirs by default, which is a minute. */
  readonly keepAliveTimeoutMs: number;
  /** How long a shutdown waits for calls in progress. */
  readonly shutdownTimeoutMs: number;
  /** How long a request may take to arrive; its head may take a third of that. */
  readonly requestTimeoutMs: number;
  /** How long a client may take to read an answer. After that the connection is closed. */
  readonly answerTimeoutMs: number;
  /** The most bytes of answers that wait in memory for their clients, over all connections. Above it the longest waiting is closed. */
  readonly answersBuffer: number;

  /** The interval of heartbeats to subscribers of `GET /events`: shorter than any proxy waits. Who read nothing since the last is disconnected. */
  readonly eventsHeartbeatMs: number;
  /** The most bytes buffered for a subscriber. Slow subscribers are disconnected and resume where they stopped. */
  readonly eventsBufferBytes: number;
  /** The most subscribers of `GET /events` of a process: with full buffers they take 2 GB. */
  readonly eventsSubscribersMax: number;
  /** The most subscribers from one IP address (for IPv6, one /64; a /56 may have four times as many, a /48 sixteen times). */
  readonly eventsSubscribersPerAddress: number;
}

export const constants: Constants = {
  featuredPlaces: 10,
  launchStartRatio: 16,
  distributionCostsMaxBasisPoints: 1_000,
  saleMaxImpactBasisPoints: 500,
  deskMarketCap: 100_000_000_000n,
  saleSlippageBasisPoints: 100,
  saleMaxDiscountBasisPoints: 500,
  feePayerFloor: 10_000_000n,
  distributorFloor: 50_000_000n,
  distributionLeastShare: 1_000n,
  distributionPots: 50,
  distributionLagMs: 300_000,
  draftLifetimeMs: 300_000,
  claimLapseMs: 30_000,
  observePauseMs: 15_000,
  chainStallMs: 20_000,
  settleGraceMs: 60_000,
  unusedImagesKeptMs: 86_400_000,
  jwtLifetimeSeconds: 86_400,
  connectionsMax: 5_000,
  keepAliveTimeoutMs: 72_000,
  shutdownTimeoutMs: 20_000,
  requestTimeoutMs: 30_000,
  answerTimeoutMs: 60_000,
  answersBuffer: 67_108_864,
  eventsHeartbeatMs: 15_000,
  eventsBufferBytes: 1_048_576,
  eventsSubscribersMax: 2_000,
  eventsSubscribersPerAddress: 50,
};
