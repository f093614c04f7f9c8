/** Input limits, shared by validation and the public configuration. */

/** Limits of a token's texts, in Unicode characters and UTF-8 bytes. */
export const TEXT_LIMITS = {
  nameLimits: { characters: 32, bytes: 32 },
  symbolLimits: { characters: 10, bytes: 10 },
  descriptionLimits: { characters: 1_000 },
  linkLimits: { characters: 200 },
} as const;

/** Maximum number of days per purchase. */
export const MAX_PROMOTION_DAYS = 30;
