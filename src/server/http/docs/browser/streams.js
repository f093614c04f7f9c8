/** Fetches the first seconds of a stream: the renderer shows only complete responses, and a stream has no end. */

const MILLISECONDS = 2000;
const CHARACTERS = 100_000;

/** Replacement of `fetch` that ends streams early. */
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
