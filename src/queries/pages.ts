/** Pages of lists: numbered ones, with their parameters and details, and those that follow a cursor. */
import { type Static, Type } from '@sinclair/typebox';

/** Far beyond any existing page, and exact as a number when multiplied by the limit. */
const LAST_PAGE = 1_000_000_000;

export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};

export const Pagination = Type.Object(
  {
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
  },
  { title: 'Pagination', examples: [{ total: 41, page: 1, limit: 20, totalPages: 3 }] },
);

interface Asked {
  readonly page?: number;
  readonly limit?: number;
}

/** The page's range in its list. */
export function stretchOf({ page = 1, limit = 20 }: Asked): {
  readonly offset: number;
  readonly limit: number;
} {
  return { offset: (page - 1) * limit, limit };
}

export function paginationOf({ page = 1, limit = 20 }: Asked, total: number): Static<typeof Pagination> {
  return { total, page, limit, totalPages: Math.ceil(total / limit) };
}

/** `found` has one item more than the page if there is more; that one is not shown. */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => string,
): { readonly shown: readonly Item[]; readonly next: string | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
