/** Limits of input, defined once for validation and for the public configuration. */

/** A token's texts; characters are those of Unicode, bytes those of UTF-8. */
export const TEXT_LIMITS = {
  nameLimits: { characters: 32, bytes: 32 },
  symbolLimits: { characters: 10, bytes: 10 },
  descriptionLimits: { characters: 1_000 },
  linkLimits: { characters: 200 },
} as const;

/** Maximum of one purchase. */
export const MAX_PROMOTION_DAYS = 30;
