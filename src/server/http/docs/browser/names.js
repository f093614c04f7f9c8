/** Adds accessible names to controls of the renderer, and makes its code blocks scrollable by keyboard. */

const NAMES = [
  ['.copy-to-clipboard button', 'Copy'],
  ['.body-param__text', 'Request body'],
  ['.examples-select-element', 'Example'],
  ['.content-type', 'Media type'],
  ['.download-contents', 'Download'],
];

/** Observes the element for as long as the page is open. */
export function nameControls(root) {
  const name = () => {
    for (const [controls, label] of NAMES)
      for (const control of root.querySelectorAll(`${controls}:not([aria-label])`))
        control.setAttribute('aria-label', label);
    for (const code of root.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
}
