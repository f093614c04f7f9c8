/** Pages of lists: by cursor (`after` and `next`) in every list, and also by number in some. */

import { type Static, type TString, Type } from '@sinclair/typebox';
import type { Page, ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { invalidFieldRejection, rejection } from '../streams/rejections.ts';
import { enumOf, orNull } from '../streams/value-types.ts';

/** Far beyond any existing page; its product with the limit is a safe integer. */
const LAST_PAGE = 1_000_000_000;

export const PageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LAST_PAGE,
      // No `default`: generated clients would send it, which conflicts with `after`.
      description:
        'First page if absent. Ignored with `after`. Pages after the first 10,000 items are read one at ' +
        'a time; concurrent calls for them get 503 `SERVICE_BUSY`. Use `after` instead.',
      examples: [1],
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};

/** Schema of `after`. Has no example, since a cursor is valid only in its own list. */
export function cursor(shape: TString, description = '`next` of the previous page.') {
  const { examples: _none, ...rules } = shape;
  return Type.String({ ...rules, description });
}

export const CursorQuery = {
  after: Type.Optional(cursor(Uuid)),
  limit: PageQuery.limit,
};

export function OrderQuery(first: 'oldest' | 'newest') {
  return Type.Optional(
    enumOf('ListOrder', ['oldest', 'newest'], {
      default: first,
      description: 'Sort order: `newest` or `oldest` entries first.',
    }),
  );
}

const TO_GO_ON = 'Cursor of the next page, to send as `after`; null at the end.';

export const Next = orNull(Uuid, { description: TO_GO_ON });

/** Query parameters and `next` of a list that also has page numbers. `position`: schema of its cursors. */
export function numberedPages(position: TString) {
  return {
    query: {
      ...PageQuery,
      after: Type.Optional(cursor(position)),
    },
    next: orNull(position, { description: TO_GO_ON }),
  };
}

export const Pagination = Type.Object(
  {
    total: Type.Integer(),
    page: Type.Integer({ description: 'Always 1 with `after`.' }),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
  },
  { title: 'Pagination', examples: [{ total: 41, page: 1, limit: 20, totalPages: 3 }] },
);

interface Asked {
  readonly page?: number;
  readonly limit?: number;
  readonly after?: string;
}

/** Page number; `after` takes precedence over `page`. */
function numberOf({ page = 1, after }: Asked): number {
  return after === undefined ? page : 1;
}

/** Range of the page in its list. */
export function rangeOf(asked: Asked): {
  readonly offset: number;
  readonly limit: number;
} {
  const { limit = 20 } = asked;
  return { offset: (numberOf(asked) - 1) * limit, limit };
}

export function paginationOf(asked: Asked, total: number): Static<typeof Pagination> {
  const { limit = 20 } = asked;
  return { total, page: numberOf(asked), limit, totalPages: Math.ceil(total / limit) };
}

/** Offset from which a page is deep: the store may have to skip all items before it. */
const DEEP = 10_000;

let isReadingDeepPage = false;

/** Returns a page of a ranked list by its number. Reading a deep page is expensive, so each process reads one at a time. */
export async function numberedPage(
  readModel: Pick<ReadModel, 'page'>,
  ...call: Parameters<ReadModel['page']>
): Promise<Page> {
  const [, , , { offset }] = call;
  if (offset <= DEEP) return readModel.page(...call);
  if (isReadingDeepPage)
    throw rejection('SERVICE_BUSY', 'Another deep page is being read; page with `after`, or try again.', {
      retryAfterSeconds: 1,
    });
  isReadingDeepPage = true;
  try {
    return await readModel.page(...call);
  } finally {
    isReadingDeepPage = false;
  }
}

/** Splits off the extra item of `found`, which shows that another page follows. */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => string,
): { readonly shown: readonly Item[]; readonly next: string | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Rejection of an `after` that is not a valid cursor. `kind`: kind of the list's items. */
export function unknownCursorRejection(kind: string): Rejection {
  return invalidFieldRejection(
    'after',
    'must be `next` of the previous page',
    `No page follows this ${kind}.`,
  );
}
