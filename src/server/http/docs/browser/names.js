/** Names the controls that the renderer leaves without a name, for readers who hear the page, and lets the keyboard scroll its code. */

const NAMES = [
  ['.copy-to-clipboard button', 'Copy'],
  ['.body-param__text', 'Request body'],
  ['.examples-select-element', 'Example'],
  ['.content-type', 'Media type'],
  ['.download-contents', 'Download'],
];

/** Watches what is drawn under the element, for as long as the page is open. */
export function nameControls(root) {
  const name = () => {
    for (const [controls, label] of NAMES)
      for (const control of root.querySelectorAll(`${controls}:not([aria-label])`))
        control.setAttribute('aria-label', label);
    for (const code of root.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
}
