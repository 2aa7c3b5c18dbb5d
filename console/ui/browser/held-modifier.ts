/** Whether a key is pressed with one that makes it a shortcut of the browser, such as Alt+← for the previous page. */
export const isModifierHeld = (event: { altKey: boolean; ctrlKey: boolean; metaKey: boolean }): boolean =>
  event.altKey || event.ctrlKey || event.metaKey
