/** Closes what was opened: the latest first, and each part even if others fail. */

/** Called for each opened part with its close function. */
export type WhenClosing = (close: () => Promise<void>) => void;

export function createClosing() {
  const opened: (() => Promise<void>)[] = [];
  return {
    whenClosing: (close: () => Promise<void>) => void opened.push(close),
    /** Rejects with the first failure, once every part was closed. */
    async close(): Promise<void> {
      const failures: unknown[] = [];
      for (const closeOne of opened.splice(0).reverse())
        await closeOne().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Closes what the work has opened once it has ended. */
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
