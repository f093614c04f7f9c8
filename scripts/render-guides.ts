/** Renders the pages of `docs/` for `/docs/guides`: an HTML fragment for each, the pictures, and the list in `guides.json`. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

const SOURCES = fileURLToPath(new URL('../docs', import.meta.url));
const GUIDES = fileURLToPath(new URL('../dist/guides', import.meta.url));

/** Page in the search index of `/docs`. */
interface Guide {
  /** Path below `docs/`: `how-to/integrate/sign-in.md`. */
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
}

export function renderGuides(target = GUIDES): void {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(md|webp)$/.test(path));
  const sources = new Map(
    paths
      .filter((path) => path.endsWith('.md'))
      .map((path) => [path, readFileSync(join(SOURCES, path), 'utf8')] as const),
  );
  for (const path of paths) {
    const source = sources.get(path);
    mkdirSync(dirname(join(target, path)), { recursive: true });
    if (source === undefined) cpSync(join(SOURCES, path), join(target, path));
    else writeFileSync(join(target, path), htmlOf(path, source, new Set(paths)));
  }
  // Sorted like the contents of `docs/`, then alphabetically.
  const contents = [...(sources.get('README.md') ?? '').matchAll(/\]\(([^)#]+)/g)].map(
    ([, path = '']) => path,
  );
  const ordered = new Set([...contents, ...[...sources.keys()].sort()]);
  const guides = [...ordered].flatMap((path) => {
    const source = sources.get(path);
    return source === undefined ? [] : [guideOf(path, source)];
  });
  writeFileSync(join(target, 'guides.json'), JSON.stringify(guides));
}

/** Pure. */
export function guideOf(path: string, source: string): Guide {
  const prose = source.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...prose.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) =>
    heading.replaceAll('`', ''),
  );
  return { path, title: headings[0] ?? path, headings: headings.slice(1) };
}

/** Renders the page as HTML. Pure. A link to a file outside `docs/` becomes plain text. */
export function htmlOf(path: string, source: string, paths: ReadonlySet<string>): string {
  const marked = new Marked(gfmHeadingId(), {
    walkTokens(token) {
      if (token.type !== 'link' || /^(https?:|#)/.test(token.href)) return;
      const [file = ''] = String(token.href).split('#');
      if (paths.has(posix.join(dirname(path), file))) return;
      Object.assign(token, { type: 'text', escaped: false });
    },
  });
  // Wide tables and code scroll sideways on a small screen, so they must be focusable by keyboard.
  return String(marked.parse(source)).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}
