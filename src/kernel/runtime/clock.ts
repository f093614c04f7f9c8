/** The time as a parameter: no rule reads a clock by itself. */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
