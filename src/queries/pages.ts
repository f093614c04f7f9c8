/** Pages of lists: by a cursor, `after` and `next`, which every list has, and by numbers, which some have beside it. */

import { type Static, type TString, Type } from '@sinclair/typebox';
import type { Page, ReadModel } from '../kernel/ports/read-model.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { invalidField, rejection } from '../streams/rejections.ts';
import { orNull, wordsOf } from '../streams/values.ts';

/** Far beyond any existing page, and exact as a number when multiplied by the limit. */
const LAST_PAGE = 1_000_000_000;

export const PageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LAST_PAGE,
      // Not as `default`: generated clients send a default, also where `after` is sent.
      description:
        'The first page if absent. Ignored beside `after`. Pages behind the first 10,000 items are read one at ' +
        'a time; concurrent calls for them get 503 `SERVICE_BUSY`. Use `after` instead.',
      examples: [1],
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};

/** The `after` of a list. It has no example: a cursor that no page has ended with is refused. */
export function cursor(shape: TString, description = '`next` of the page before.') {
  const { examples: _none, ...rules } = shape;
  return Type.String({ ...rules, description });
}

export const CursorQuery = {
  after: Type.Optional(cursor(Uuid)),
  limit: PageQuery.limit,
};

export function OrderQuery(first: 'oldest' | 'newest') {
  return Type.Optional(wordsOf('ListOrder', ['oldest', 'newest'], { default: first, description: 'First.' }));
}

const TO_GO_ON = 'Send it as `after` to get the next page; null at the end.';

export const Next = orNull(Uuid, { description: TO_GO_ON });

/** For a list that also has page numbers. `position`: what its cursors look like. */
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
    page: Type.Integer({ description: '1 with `after`, wherever the page is.' }),
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

/** If `after` is sent, it alone selects the page. */
function numberOf({ page = 1, after }: Asked): number {
  return after === undefined ? page : 1;
}

/** The page's range in its list. */
export function stretchOf(asked: Asked): {
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

/** Items that a store may have to read and drop before a page that others need not wait for. */
const DEEP = 10_000;

let isReadingDeepPage = false;

/**
 * A page of a ranked list by its number. A store may have to skip everything before it, so one deep page is read at a time
 * in the process.
 */
export async function numberedPage(
  readModel: Pick<ReadModel, 'page'>,
  ...call: Parameters<ReadModel['page']>
): Promise<Page> {
  const [, , , { offset }] = call;
  if (offset <= DEEP) return readModel.page(...call);
  if (isReadingDeepPage)
    throw rejection(
      'SERVICE_BUSY',
      'Another page this far into a list is being read: page with `after`, or try again.',
      {
        retryAfterSeconds: 1,
      },
    );
  isReadingDeepPage = true;
  try {
    return await readModel.page(...call);
  } finally {
    isReadingDeepPage = false;
  }
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
  return invalidField('after', 'must be `next` of the page before', `No page follows this ${kind}.`);
}
