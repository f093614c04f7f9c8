/** Contents next to the operations: a search over operations and guides, the guides, and the groups. */

/** Folders of the guides that are listed without a search phrase. */
const FIRST = ['tutorial/', 'how-to/integrate/'];

/** True if each word of the phrase is in one of the texts. */
export function matches(phrase, texts) {
  const text = texts.filter(Boolean).join(' ').toLowerCase();
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** `description` is the OpenAPI document, `docs` the address of this page. */
export async function showContents({ ui, description, docs }) {
  const contents = document.querySelector('.contents');
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const groups = document.getElementById('groups');
  const list = document.getElementById('guides');
  const guides = await (await fetch(new URL('guides.json', docs))).json();

  function show() {
    const phrase = input.value.trim();
    contents.classList.toggle('searching', phrase !== '');
    ui.layoutActions.updateFilter(phrase === '' ? false : phrase);
    const shown = ui.specSelectors.taggedOperations();
    const operations = shown.reduce((sum, group) => sum + group.get('operations').size, 0);
    groups.replaceChildren(...[...shown.keys()].map(groupLink));
    const pages = guides.filter(({ path, title, headings }) =>
      phrase === '' ? FIRST.some((folder) => path.startsWith(folder)) : matches(phrase, [title, ...headings]),
    );
    list.replaceChildren(
      ...pages.map(({ path, title }) => linkTo(new URL(`guides/${path}`, docs).href, title)),
    );
    found.textContent =
      phrase === '' ? '' : `${counted(operations, 'operation')}, ${counted(pages.length, 'guide')}`;
  }

  function groupLink(tag) {
    const item = linkTo(`#/${encodeURIComponent(tag)}`, tag);
    item.firstChild.addEventListener('click', (event) => {
      event.preventDefault();
      ui.layoutActions.show(['operations-tag', tag], true);
      document.getElementById(`operations-tag-${tag}`)?.scrollIntoView();
    });
    return item;
  }

  input.addEventListener('input', show);
  show();
  document.title = `Levy API ${description.info.version}`;
}

function linkTo(href, text) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  Object.assign(link, { href, textContent: text });
  item.append(link);
  return item;
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
