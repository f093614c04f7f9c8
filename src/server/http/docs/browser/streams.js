/**
 * Lets a reader try out a stream: the renderer shows an answer once it is whole, and a stream has no end, so only its first seconds are
 * shown.
 */

const MILLISECONDS = 2000;
const CHARACTERS = 100_000;

/** Fetches as `fetch` does, but for streams. */
export async function fetchBeginning(url, request) {
  const response = await fetch(url, request);
  const { status, statusText, headers } = response;
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const end = setTimeout(() => reader.cancel(), MILLISECONDS);
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > CHARACTERS) void reader.cancel();
  }
  clearTimeout(end);
  return new Response(text, { status, statusText, headers });
}
