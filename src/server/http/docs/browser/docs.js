/** Builds the page: the renderer with its extensions, the contents, and the dialog for credentials. */
import { matches, showContents } from './contents.js';
import { nameControls } from './names.js';
import { resolveSubtree } from './references.js';
import { fetchBeginning } from './streams.js';

/** Base URLs of this page and of the API, under any path of a proxy. */
const DOCS = new URL('..', import.meta.url);
const API = new URL('..', DOCS);

/** Groups that integrators seldom need; collapsed at first. */
const CLOSED = ['Log', 'Operators', 'Service'];

const dialog = document.getElementById('sign-in');
const root = document.getElementById('api');
const nothing = () => () => null;

nameControls(root);

const ui = window.SwaggerUIBundle({
  domNode: root,
  spec: forThisPage(await (await fetch(new URL('openapi.json', API))).json()),
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  // The highlighter sets inline styles, which ignore the colour scheme.
  syntaxHighlight: { activated: false },
  layout: 'BaseLayout',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [own],
  requestInterceptor: (request) =>
    Object.assign(request, request.loadSpec ? {} : { userFetch: fetchBeginning }),
  onComplete() {
    for (const group of CLOSED)
      if (!location.hash.startsWith(`#/${group}`)) ui.layoutActions.show(['operations-tag', group], false);
    const description = ui.specSelectors.specJson().toJS();
    void showContents({ ui, description, docs: DOCS });
    takeCredentials('operatorKey' in description.components.securitySchemes);
  },
});

/** Passes the typed credentials to the renderer, which sends them with each call that accepts them. */
function takeCredentials(hasOperators) {
  const opener = document.getElementById('sign-in-open');
  const form = document.getElementById('credentials');
  document.getElementById('for-operators').hidden = !hasOperators;
  opener.addEventListener('click', () => dialog.showModal());
  form.addEventListener('submit', () => {
    const typed = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
    for (const [name, value] of typed) ui.preauthorizeApiKey(name, value.trim());
    if (typed.length > 0) opener.textContent = 'Signed in';
    form.reset();
  });
}

/**
 * Sends calls to the origin of the page, and removes the examples of optional parameters: the renderer would send them, and
 * the service would reject the example of a position or a key.
 */
function forThisPage(description) {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  const parameters = [
    ...Object.values(description.components.parameters),
    ...operations.flatMap((operation) => operation.parameters),
  ];
  for (const parameter of parameters) if (!parameter.required) delete parameter.example;
  for (const { requestBody } of operations) {
    const form = requestBody?.content['multipart/form-data'];
    // The renderer would send this text instead of a file, with both types.
    if (form !== undefined) Object.assign(form, { example: undefined, encoding: undefined });
  }
  return { ...description, servers: [{ url: API.href }] };
}

function own({ React }) {
  const h = React.createElement;

  /** Short row of a response, without schema, headers and examples. Its description contains error codes in backticks. */
  function inShort({ code, response }, onClick) {
    const lines = response.get('description').split('\n\n');
    const button = h('button', { className: 'more', type: 'button', onClick }, `More about ${code}`);
    return h(
      'tr',
      { className: 'response', 'data-code': code },
      h('td', { className: 'response-col_status' }, code),
      h(
        'td',
        { className: 'response-col_description' },
        lines.map((line, key) =>
          h(
            'p',
            { key, className: 'in-short' },
            line.split('`').map((part, place) => (place === 1 ? h('code', { key: place }, part) : part)),
          ),
        ),
        button,
      ),
    );
  }

  return {
    fn: {
      resolveSubtree,
      opsFilter: (groups, phrase) =>
        groups
          .map((group, tag) =>
            group.update('operations', (operations) =>
              operations.filter((each) => matches(phrase, wordsOf(tag, each))),
            ),
          )
          .filter((group) => group.get('operations').size > 0),
    },
    wrapComponents: {
      // A link within a button is unreachable by keyboard.
      DeepLink:
        () =>
        ({ text }) =>
          h('span', null, text),
      AuthorizeBtnContainer: nothing,
      authorizeOperationBtn:
        () =>
        ({ isAuthorized }) =>
          h(
            'button',
            { className: 'lock', type: 'button', onClick: () => dialog.showModal() },
            isAuthorized ? 'Signed in' : 'Sign in',
          ),
      InfoUrl: nothing,
      OpenAPIVersion: nothing,
      // Rendering schema, headers and examples of each error takes a second per operation and click, so errors are collapsed.
      response: (Response) => (props) => {
        const [isOpen, open] = React.useState(props.code.startsWith('2'));
        return isOpen ? h(Response, props) : inShort(props, () => open(true));
      },
      ServersContainer: nothing,
      VersionStamp: nothing,
    },
  };
}

function wordsOf(tag, operation) {
  const described = (name) => operation.getIn(['operation', name]);
  return [
    tag,
    operation.get('method'),
    operation.get('path'),
    described('summary'),
    described('operationId'),
    described('description'),
  ];
}
