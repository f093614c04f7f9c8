/** How long texts may be and how much may be asked for: said here once, for what checks it and for what tells pages of it. */

/** A token's texts; characters are those of Unicode, bytes those of UTF-8. */
export const TEXT_LIMITS = {
  name: { characters: 32, bytes: 32 },
  symbol: { characters: 10, bytes: 10 },
  description: { characters: 1_000 },
  link: { characters: 200 },
} as const;

/** What one purchase can buy. */
export const MAX_PROMOTION_DAYS = 30;
