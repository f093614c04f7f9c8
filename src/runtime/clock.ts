/** The time, as something that is handed in: no rule reads a clock by itself. */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
