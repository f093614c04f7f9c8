/** Reads JSON with whole numbers above 2^53, which JSON.parse would round: those come as the text of their digits. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** No number with at most this many digits is rounded. */
const EXACT_DIGITS = 15;

/** @throws SyntaxError */
export function parseExactJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) =>
      /^\d+$/.test(token) && token.length > EXACT_DIGITS ? `"${token}"` : token,
    ),
  );
}
