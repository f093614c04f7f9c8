/** Waits for what the service does by itself. */

const PAUSE = 50;
/** Only what never comes takes so long: a machine that runs everything at once opens twenty accounts in half of it. */
const PATIENCE = 60_000;

/** Asks again and again until the answer is one, for a minute of pauses at most. */
export async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < PATIENCE / PAUSE; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error('it did not come to be in a minute');
}
