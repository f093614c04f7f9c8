/** Clock as a parameter, so that no rule reads the system time. */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
