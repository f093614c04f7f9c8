/** Closes opened parts in reverse order, each one even if closing another fails. */

export type WhenClosing = (close: () => Promise<void>) => void;

export function createClosing() {
  const opened: (() => Promise<void>)[] = [];
  return {
    whenClosing: (close: () => Promise<void>) => void opened.push(close),
    /** Rejects with the first failure, after every part was closed. */
    async close(): Promise<void> {
      const failures: unknown[] = [];
      for (const closeOne of opened.splice(0).reverse())
        await closeOne().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Closes the parts that the work has opened, after its end. */
export async function closingAfter<Result>(
  work: (whenClosing: WhenClosing) => Promise<Result>,
): Promise<Result> {
  const { whenClosing, close } = createClosing();
  try {
    return await work(whenClosing);
  } finally {
    await close();
  }
}
