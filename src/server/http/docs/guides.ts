/** Serves the pages of `docs/` as HTML under `/docs/guides`, with their pictures, and the links between them as they stand in the files. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { lazily, type ReadyAnswer, readyJson } from '../../../kernel/runtime/ready-answer.ts';
import { rejection } from '../../../streams/rejections.ts';
import { addReadyRoute, readyFile, readyPage } from '../send-ready.ts';
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
  const answers = new Map<string, ReadyAnswer>();

  /** Looked for when the first reader comes: a start does not wait for the disk. */
  function known(): ReadonlySet<string> {
    paths ??= new Set(pathsBelow(FOLDER));
    return paths;
  }

  function build(path: string): ReadyAnswer {
    if (isPicture(path)) return readyFile(`${FOLDER}/${path}`, 'revalidated');
    const source = sourceOf(path);
    const page = framed(frame, {
      title: guideOf(path, source).title,
      content: htmlOf(path, source, known()),
      root: '../'.repeat(path.split('/').length),
    });
    return readyPage(page, 'revalidated');
  }

  const list = lazily(() => {
    const written = new Set([...known()].filter((path) => !isPicture(path)));
    const guides = inOrderOfContents(written, sourceOf('README.md')).map((path) =>
      guideOf(path, sourceOf(path)),
    );
    return readyJson(JSON.stringify(guides));
  });
  addReadyRoute(docs, '/guides.json', list);
  addReadyRoute(docs, '/guides/*', ({ params }) => {
    const { '*': path } = params as { readonly '*': string };
    if (!known().has(path)) throw rejection('ROUTE_NOT_FOUND', 'There is no page of this name.');
    const answer = answers.get(path) ?? build(path);
    answers.set(path, answer);
    return answer;
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
