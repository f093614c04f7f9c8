/** Neutralises untrusted texts, so that they cannot imitate the page. */

/** Invisible characters, and those that change the direction of writing. */
const MARKS = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces invisible and direction-changing characters with their code points. */
export function visibleText(text: string): string {
  return text.replace(
    MARKS,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Normalised URL if it is https without credentials, otherwise undefined. */
export function httpsLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}

/** Shortens an address: `9wFz…T3kP`. */
export function cutAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** Converts `token-creation` to `token creation`. */
export function purposeText(purpose: string): string {
  return purpose.replaceAll('-', ' ');
}
