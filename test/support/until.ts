/** Waits for what the service does by itself. */

const PAUSE = 50;

/** Asks again and again until the answer is one, for ten seconds at most. */
export async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 10_000 / PAUSE; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error('it did not come to be in ten seconds');
}
