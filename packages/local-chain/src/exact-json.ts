/** Parses JSON with whole numbers above 2^53, which JSON.parse would round: they become text. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Numbers with at most this many digits are exact. */
const EXACT_DIGITS = 15;

/** @throws SyntaxError */
export function parseExactJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) =>
      /^\d+$/.test(token) && token.length > EXACT_DIGITS ? `"${token}"` : token,
    ),
  );
}
