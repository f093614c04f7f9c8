/** Hook for a paged log search. Each call scans a limited number of events and returns a cursor. */
import type { LevyClient, ListEventsAnswer } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from './format/amounts.ts';
import { askedOf, type LogFilter, logTime } from './format/log-address.ts';
import { useAction } from './parts/use-action.ts';
import { fieldsNamedBy, useAnswer } from './service.ts';

/** Events per page. */
export const PAGE = 50;

export interface LogSearch {
  readonly pages: readonly ListEventsAnswer[];
  readonly isLoading: boolean;
  readonly failed: string | undefined;
  readonly faults: { readonly [field: string]: string };
  readonly again: () => void;
  readonly further: {
    readonly isBusy: boolean;
    readonly fault: string | undefined;
    readonly run: () => void;
    readonly stop: () => void;
  };
}

export function useLogSearch(client: LevyClient, filter: LogFilter): LogSearch {
  const key = JSON.stringify(filter);
  const [round, next] = useState(0);
  const search = `${key} ${round}`;
  const [more, add] = useState<{ readonly of: string; readonly pages: readonly ListEventsAnswer[] }>();
  const isStopped = useRef(false);
  const stop = () => {
    isStopped.current = true;
  };
  const find = (after?: string) =>
    client.get('/operator/events', {
      params: { query: { ...askedOf(filter), limit: PAGE, ...(after !== undefined && { after }) } },
    });
  const { data, failed, isLoading } = useAnswer(`log ${search}`, async () => {
    try {
      return { page: await find(), faults: {} };
    } catch (error) {
      const faults = fieldsNamedBy(error);
      if (Object.keys(faults).length === 0) throw error;
      return { page: undefined, faults };
    }
  });
  const later = more?.of === search ? more.pages : [];
  const pages = data?.page === undefined ? [] : [data.page, ...later];
  // Stops the running search when the filter changes.
  useEffect(() => stop, [search]);
  const { isBusy, fault, run } = useAction(async () => {
    isStopped.current = false;
    const all = [...later];
    for (let after = pages.at(-1)?.next ?? undefined; after !== undefined && !isStopped.current; ) {
      const page = await find(after);
      if (isStopped.current) return;
      all.push(page);
      add({ of: search, pages: [...all] });
      if (page.events.length > 0) return;
      after = page.next ?? undefined;
    }
  });
  return {
    pages,
    isLoading,
    failed,
    faults: data?.faults ?? {},
    again: () => next((count) => count + 1),
    further: { isBusy, fault, run: () => void run(), stop },
  };
}

/** Summary of the search: `3 events among 5,000, as far as 26 Nov 14:03:07`. */
export function countText(pages: readonly ListEventsAnswer[]): string {
  const found = pages.reduce((sum, { events }) => sum + events.length, 0);
  const scannedCount = pages.reduce((sum, page) => sum + page.scannedCount, 0);
  const time = pages.findLast(({ reached }) => reached !== null)?.reached?.time;
  const isOver = pages.at(-1)?.next === null;
  const count = `${grouped(found)} ${found === 1 ? 'event' : 'events'}`;
  const among = found === scannedCount ? '' : ` among ${grouped(scannedCount)}`;
  return `${count}${among}${isOver || !time ? '' : `, as far as ${logTime(time)}`}`;
}
