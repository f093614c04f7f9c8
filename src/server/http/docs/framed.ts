/** Puts a page of the docs into the frame that all of them have: `browser/guide.html`. */

export interface Page {
  readonly title: string;
  /** HTML. */
  readonly content: string;
  /** From the page's address to `/docs/`: `../`. */
  readonly root: string;
}

export function framed(frame: string, { title, content, root }: Page): string {
  return frame
    .replaceAll('"./', `"${root}`)
    .replace('<title>Page', () => `<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}`)
    .replace('<!-- content -->', () => content);
}
