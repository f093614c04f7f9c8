// The guides under /docs: what of a page's Markdown becomes HTML, and what the search knows of it.
import { expect, test } from 'vitest';
import { guideOf, htmlOf } from '../../../scripts/render-guides.ts';

const PATHS = new Set(['README.md', 'how-to/sign-in.md', 'tutorial/first.md']);

test('a link to another guide stays, also to a heading of it, and one to the code becomes its text', () => {
  const html = htmlOf(
    'how-to/sign-in.md',
    '# Sign in\n\n[tour](../tutorial/first.md#start), [code](../../src/main.ts), [web](https://solana.com), [here](#end)',
    PATHS,
  );
  expect(html).toContain('<h1 id="sign-in">Sign in</h1>');
  expect(html).toContain(
    '<a href="../tutorial/first.md#start">tour</a>, code, <a href="https://solana.com">web</a>',
  );
  expect(html).toContain('<a href="#end">here</a>');
});

test('what scrolls sideways can be scrolled by the keyboard', () => {
  const html = htmlOf('README.md', '```sh\nls\n```\n\n| a |\n| - |\n| b |', PATHS);
  expect(html).toContain('<pre tabindex="0"><code');
  expect(html).toContain('<table tabindex="0">');
});

test('the search knows the title and the headings, and no comment of a shell', () => {
  const source = '# Sign `in`\n\n```sh\n# not a heading\n```\n\n## From a page\n';
  expect(guideOf('a.md', source)).toEqual({ path: 'a.md', title: 'Sign in', headings: ['From a page'] });
});
