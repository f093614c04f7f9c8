/** Faults of a network: probabilities for each call, transaction or slot. */

export interface Weather {
  /** A read is answered by a node that is behind, or on a fork that is gone. */
  readonly stale: number;
  /** The furthest that a node is behind, in slots. */
  readonly furthestBehind: number;
  /** A call is not answered, or only after it took effect. */
  readonly failing: number;
  /** An account is left out of an answer that is right otherwise. */
  readonly hidden: number;
  /** A node knows nothing of a signature that landed. */
  readonly forgetful: number;
  /** Per transaction that is sent. */
  readonly lost: number;
  readonly late: number;
  readonly doubled: number;
  /** Per slot. */
  readonly fork: number;
  /** Per slot: something that was signed some time ago is sent again by somebody who kept it. */
  readonly replay: number;
  /** Finality lags by at most so many slots. */
  readonly maxLag: number;
  /** Slots that pass with each call, at most. */
  readonly haste: number;
  /** Per slot: a stranger does something. */
  readonly strangers: number;
  /** Per call: the process dies before or after it. */
  readonly crash: number;
}

export const CALM: Weather = {
  stale: 0,
  furthestBehind: 0,
  hidden: 0,
  failing: 0,
  forgetful: 0,
  lost: 0,
  late: 0,
  doubled: 0,
  fork: 0,
  replay: 0,
  maxLag: 2,
  haste: 3,
  strangers: 0,
  crash: 0,
};

export const STORM: Weather = {
  stale: 0.25,
  furthestBehind: 60,
  hidden: 0.1,
  failing: 0.05,
  forgetful: 0.15,
  lost: 0.15,
  late: 0.2,
  doubled: 0.1,
  fork: 0.06,
  replay: 0.2,
  maxLag: 30,
  haste: 4,
  strangers: 0.05,
  crash: 0.01,
};
