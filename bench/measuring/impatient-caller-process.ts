/**
 * Process that calls a chain continuously with one small call at a time, and reports the longest call since the last
 * report.
 */
import { serve } from './child.ts';

const CALL = { jsonrpc: '2.0', id: 1, method: 'getSlot', params: [] };

await serve(async ({ url }: { readonly url: string }) => {
  let longest = 0;
  let isOver = false;
  process.on('message', () => {
    process.send?.(longest);
    longest = 0;
  });

  async function callOnAndOn(): Promise<void> {
    while (!isOver) {
      const start = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(CALL),
      });
      await response.text();
      longest = Math.max(longest, performance.now() - start);
    }
  }

  callOnAndOn().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
  return {
    url,
    async close() {
      isOver = true;
    },
  };
});
