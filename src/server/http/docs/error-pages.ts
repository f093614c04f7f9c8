/** The pages that the `type` of an error leads to: one for each code, made from the table that the service refuses by. */
import type { FastifyInstance } from 'fastify';
import type { RejectionKind } from '../../../kernel/runtime/rejection.ts';
import { REJECTION_CODES, rejection } from '../../../streams/rejections.ts';
import { PROBLEM_PAGES, STATUS_OF_KIND } from '../problems.ts';
import { addReadyRoute, readyPage } from '../send-ready.ts';
import { framed } from './framed.ts';

interface ExplainedCode {
  readonly code: string;
  readonly title: string;
  readonly statuses: readonly number[];
}

const STYLE =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a client does about an answer with the status. */
const ADVICE: { readonly [status: number]: string } = {
  400: 'Correct the request: detail and details name what is wrong. The same request is refused again.',
  401: 'Sign in again: get a challenge, sign it, and send the new access token.',
  403: 'Sign in with the wallet that may do this.',
  404: 'Check the address. What was just written may be named by X-After-Position.',
  405: 'The header Allow names the methods that the path answers.',
  408: 'Call again, and send the whole request without a pause.',
  409: 'Read the present state: the same call is refused until that changes.',
  410: 'Ask for a new transaction.',
  412: 'Read it again, and send its new ETag.',
  413: 'Send less.',
  414: 'Send a shorter address.',
  415: 'Send the content type that the route names.',
  416: 'Ask for a range within the file.',
  422: 'The request is understood and cannot be carried out: detail says why.',
  431: 'Send fewer or shorter headers.',
  429: 'Call again after the seconds in Retry-After.',
  500: 'Report the requestId to the operator.',
  502: 'Call again: the same call is safe under the same Idempotency-Key.',
  503: 'Call again after the seconds in Retry-After: the same call is safe under the same Idempotency-Key.',
  504: 'Call again: the same call is safe, and gives the outcome once it is known.',
};

/** Under `/docs/errors`. `frame` is the HTML around each. */
export function registerErrorPages(server: FastifyInstance, frame: string): void {
  const pages = new Map(
    explainedCodes().map((explained) => [explained.code, readyPage(pageOf(frame, explained), 'public')]),
  );
  const index = readyPage(indexOf(frame, explainedCodes()), 'public');
  server.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', STYLE);
    });
    addReadyRoute(scope, `${PROBLEM_PAGES}/`, () => index);
    addReadyRoute(scope, `${PROBLEM_PAGES}/:code`, ({ params }) => {
      const page = pages.get((params as { readonly code: string }).code);
      if (page === undefined) throw rejection('ROUTE_NOT_FOUND', 'There is no error code of this name.');
      return page;
    });
  });
}

function explainedCodes(): readonly ExplainedCode[] {
  const entries: readonly [string, { kind: RejectionKind; otherKind?: RejectionKind; title: string }][] =
    Object.entries(REJECTION_CODES);
  const known = entries.map(([code, { kind, otherKind, title }]) => ({
    code,
    title,
    statuses: [kind, ...(otherKind === undefined ? [] : [otherKind])].map((each) => STATUS_OF_KIND[each]),
  }));
  return [...known, { code: 'INTERNAL_ERROR', title: 'Internal error', statuses: [500] }];
}

function pageOf(frame: string, { code, title, statuses }: ExplainedCode): string {
  const advice = statuses.map((status) => `<dt>${status}</dt><dd>${text(ADVICE[status] ?? '')}</dd>`);
  return documentOf(frame, code, [
    `<h1>${code}</h1>`,
    `<p>${text(title)}.</p>`,
    `<dl>${advice.join('')}</dl>`,
    '<p>The member detail of the answer says what exactly was wrong; requestId finds the call in the log.</p>',
    '<p><a href="./">All codes</a>, <a href="../../">all operations</a></p>',
  ]);
}

function indexOf(frame: string, codes: readonly ExplainedCode[]): string {
  const rows = codes.map(
    ({ code, title, statuses }) =>
      `<tr><td>${statuses.join(', ')}</td><td><a href="${code}">${code}</a></td><td>${text(title)}</td></tr>`,
  );
  return documentOf(frame, 'Error codes', ['<h1>Error codes</h1>', `<table>${rows.join('')}</table>`]);
}

function documentOf(frame: string, title: string, body: readonly string[]): string {
  return framed(frame, { title, content: body.join('\n'), root: '../' });
}

function text(sentence: string): string {
  return sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
