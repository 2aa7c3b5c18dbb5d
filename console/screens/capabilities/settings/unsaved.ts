/**
 * Returns the typed texts that are not saved yet. A text that was changed while the request ran differs from
 * the one in `sent`, so it counts as unsaved.
 */
export const unsavedOf = (
  typed: Record<string, string>,
  sent: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== sent[name]))
