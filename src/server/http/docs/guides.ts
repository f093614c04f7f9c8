/** Serves the pages of `docs/` as HTML under `/docs/guides`, with their pictures, and the links between them as they stand in the files. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { rejection } from '../../../streams/rejections.ts';
import { framed } from './framed.ts';

/** The same from the sources and from what is built. */
const FOLDER = fileURLToPath(new URL('../../../../docs', import.meta.url));

/** A page as the search of `/docs` lists it. */
interface Guide {
  /** From `docs/` on: `how-to/integrate/sign-in.md`. */
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/** Registers `/guides/…` and `/guides.json`, the list of them. `frame` is the HTML around each. */
export function registerGuides(docs: FastifyInstance, frame: string): void {
  let paths: ReadonlySet<string> | undefined;
  const pages = new Map<string, string>();
  let list: readonly Guide[] | undefined;

  /** Looked for when the first reader comes: a start does not wait for the disk. */
  function known(): ReadonlySet<string> {
    paths ??= new Set(pathsBelow(FOLDER));
    return paths;
  }

  function pageOf(path: string): string {
    const source = sourceOf(path);
    const root = '../'.repeat(path.split('/').length);
    return framed(frame, {
      title: guideOf(path, source).title,
      content: htmlOf(path, source, known()),
      root,
    });
  }

  docs.get('/guides.json', (_request, reply) => {
    const written = new Set([...known()].filter((path) => !isPicture(path)));
    list ??= inOrderOfContents(written, sourceOf('README.md')).map((path) => guideOf(path, sourceOf(path)));
    return reply.send(list);
  });
  docs.get<{ Params: { '*': string } }>('/guides/*', ({ params }, reply) => {
    const path = params['*'];
    if (isPicture(path) && known().has(path))
      return reply.type('image/webp').send(readFileSync(`${FOLDER}/${path}`));
    if (isPicture(path) || !known().has(path))
      throw rejection('ROUTE_NOT_FOUND', 'There is no page of this name.');
    const page = pages.get(path) ?? pageOf(path);
    pages.set(path, page);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') || isPicture(path));
}

function isPicture(path: string): boolean {
  return path.endsWith('.webp');
}

/** As the contents of `docs/` list them, then the rest. */
function inOrderOfContents(paths: ReadonlySet<string>, contents: string): readonly string[] {
  const listed = [...contents.matchAll(/\]\(([^)#]+)/g)].flatMap(([, path = '']) =>
    paths.has(path) ? [path] : [],
  );
  return [...new Set([...listed, ...[...paths].sort()])];
}

function sourceOf(path: string): string {
  return readFileSync(`${FOLDER}/${path}`, 'utf8');
}

/** Pure. */
export function guideOf(path: string, source: string): Guide {
  const prose = source.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...prose.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) =>
    heading.replaceAll('`', ''),
  );
  return { path, title: headings[0] ?? path, headings: headings.slice(1) };
}

/** Pure: the page as HTML. A link that leaves `docs/`, to the code, is shown as its text alone. */
export function htmlOf(path: string, source: string, paths: ReadonlySet<string>): string {
  const marked = new Marked(gfmHeadingId(), {
    walkTokens(token) {
      if (token.type !== 'link' || /^(https?:|#)/.test(token.href)) return;
      const [file = ''] = String(token.href).split('#');
      if (paths.has(posix.join(dirname(path), file))) return;
      Object.assign(token, { type: 'text', escaped: false });
    },
  });
  // What scrolls sideways on a small screen scrolls by the keyboard too.
  return String(marked.parse(source)).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
}
