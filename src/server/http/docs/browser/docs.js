/** Puts the page together: the renderer with what it lacks, the contents beside it, and the sign-in. */
import { matches, showContents } from './contents.js';
import { nameControls } from './names.js';
import { resolveSubtree } from './references.js';
import { offerSignIn } from './sign-in.js';
import { fetchBeginning } from './streams.js';

/** Where this page and the API begin, whatever path a proxy puts before them. */
const DOCS = new URL('..', import.meta.url);
const API = new URL('..', DOCS);

/** Groups that integrators seldom need: their operations are shown on a click. */
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
  // It colours code by styles of the elements themselves, which follow no colour scheme.
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
    offerSignIn({ ui, api: API, hasOperators: 'operatorKey' in description.components.securitySchemes });
  },
});

/**
 * Calls go to where the page came from, and nothing that may be left out is filled in beforehand: the page sends examples as they stand,
 * and those of a position or a key would be refused.
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
    // The page would send this text in the place of a file, with both types.
    if (form !== undefined) Object.assign(form, { example: undefined, encoding: undefined });
  }
  return { ...description, servers: [{ url: API.href }] };
}

function own({ React }) {
  const h = React.createElement;

  /** The row of a response without schema, headers and examples. Its description names error codes in backticks. */
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
      // A link within a button can be reached by no keyboard.
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
      // With schema, headers and examples of each refusal, an operation takes a second to draw, again at each click.
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
