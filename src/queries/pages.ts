/** Pages of lists: by a cursor, `after` and `next`, which every list has, and by numbers, which some have beside it. */
import { type Static, type TString, Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { rejection } from '../streams/rejections.ts';

/** Far beyond any existing page, and exact as a number when multiplied by the limit. */
const LAST_PAGE = 1_000_000_000;

export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};

export const CursorQuery = {
  after: Type.Optional(Type.String({ ...Uuid, description: '`next` of the page before.' })),
  limit: PageQuery.limit,
};

export function OrderQuery(first: 'oldest' | 'newest') {
  return Type.Optional(
    Type.Union([Type.Literal('oldest'), Type.Literal('newest')], { default: first, description: 'First.' }),
  );
}

const TO_GO_ON = 'Send it as `after` to get the next page; null at the end.';

export const Next = Type.Union([Uuid, Type.Null()], { description: TO_GO_ON });

/** For a list that also has page numbers. `cursor`: what its cursors look like. */
export function numberedPages(cursor: TString) {
  return {
    query: {
      ...PageQuery,
      after: Type.Optional(
        Type.String({ ...cursor, description: '`next` of the page before; not together with `page`.' }),
      ),
    },
    next: Type.Union([cursor, Type.Null()], { description: TO_GO_ON }),
  };
}

export const Pagination = Type.Object(
  {
    total: Type.Integer(),
    page: Type.Integer({ description: '1 with `after`, wherever the page is.' }),
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

/** For an `after` that no page of the list ends with. `kind`: what the list holds. */
export function noPageAfter(kind: string): Rejection {
  return rejection('VALIDATION_FAILED', `There is no page after this ${kind}.`, {
    details: [{ path: ['after'], message: 'must be `next` of the page before' }],
  });
}

/** @throws Rejection `VALIDATION_FAILED` where a page is named both by its number and by a cursor. */
export function requireOnePlace({ page, after }: { readonly page?: number; readonly after?: string }): void {
  if (page === undefined || after === undefined) return;
  throw rejection('VALIDATION_FAILED', 'Send either page or after: both name a page.', {
    details: [{ path: ['page'], message: 'must not stand beside after' }],
  });
}
