/** Every sentence of the frame around the screens that loads after the first view. */
export const shellText = {
  toasts: { label: 'Messages', undo: 'Undo', dismiss: 'Dismiss' },
}
