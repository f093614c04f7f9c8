/** Serves the guides, which the build renders from `docs/`, under `/docs/guides`, with their pictures. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type ReadyAnswer, readyJson } from '../../../kernel/runtime/ready-answer.ts';
import { rejection } from '../../../streams/rejections.ts';
import { addReadyRoute, readyFile, readyPage } from '../send-ready.ts';
import { framed } from './framed.ts';

/** The same from the sources and from what is built. */
const FOLDER = fileURLToPath(new URL('../../../../dist/guides', import.meta.url));
/** No such path leaves the folder. */
const PICTURE = /^([a-z0-9-]+\/)*[a-z0-9-]+\.webp$/;

/** Registers `/guides/…` and `/guides.json`, the list of them, where they are built. `frame` is the HTML around each. */
export function registerGuides(docs: FastifyInstance, frame: string): void {
  if (!existsSync(FOLDER)) return;
  const listed = readFileSync(`${FOLDER}/guides.json`, 'utf8');
  const guides: readonly { readonly path: string; readonly title: string }[] = JSON.parse(listed);
  const titles = new Map(guides.map(({ path, title }) => [path, title]));
  const answers = new Map<string, ReadyAnswer>();

  function build(path: string): ReadyAnswer {
    const file = `${FOLDER}/${path}`;
    const title = titles.get(path);
    if (title !== undefined) {
      const content = readFileSync(file, 'utf8');
      const root = '../'.repeat(path.split('/').length);
      return readyPage(framed(frame, { title, content, root }), 'revalidated');
    }
    if (PICTURE.test(path) && existsSync(file)) return readyFile(file, 'revalidated');
    throw rejection('ROUTE_NOT_FOUND', 'There is no page of this name.');
  }

  const list = readyJson(listed);
  addReadyRoute(docs, '/guides.json', () => list);
  addReadyRoute(docs, '/guides/*', ({ params }) => {
    const { '*': path } = params as { readonly '*': string };
    const answer = answers.get(path) ?? build(path);
    answers.set(path, answer);
    return answer;
  });
}
