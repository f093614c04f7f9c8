/** Neutralises texts by strangers, so that they cannot imitate the page. */

/** Marks that change the direction of writing, or cannot be seen. */
const MARKS = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Shows such marks by their numbers. */
export function visibleText(text: string): string {
  return text.replace(
    MARKS,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** An address that a page may link to; undefined for anything but https. */
export function httpsLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}

/** `9wFz…T3kP`. */
export function cutAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** `token-creation` as `token creation`. */
export function purposeText(purpose: string): string {
  return purpose.replaceAll('-', ' ');
}
