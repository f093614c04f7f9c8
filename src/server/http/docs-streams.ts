/**
 * The script of the docs page that lets a reader try out a stream: the page shows an answer once it is whole, and a stream has no end,
 * so only its first seconds are shown.
 */

/** Runs before the page is made, because the page keeps its interface to itself. */
export const DOCS_STREAMS = `(() => {
  const MILLISECONDS = 2000;
  const CHARACTERS = 100000;
  const make = window.SwaggerUIBundle;

  async function beginningOf(url, request) {
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

  const requestInterceptor = (request) => Object.assign(request, request.loadSpec ? {} : { userFetch: beginningOf });
  window.SwaggerUIBundle = Object.assign((config) => make({ ...config, requestInterceptor }), make);
})();
`;
