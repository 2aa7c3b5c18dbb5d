/** Whether Alt, Ctrl or ⌘ is held, which makes a key a shortcut of the browser, such as Alt+← for the previous page. */
export const isModifierHeld = (event: { altKey: boolean; ctrlKey: boolean; metaKey: boolean }): boolean =>
  event.altKey || event.ctrlKey || event.metaKey
