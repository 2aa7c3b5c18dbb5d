/**
 * Returns the typed texts that are not saved yet. A text that was changed during the request differs from its text in `sent` and counts as
 * unsaved.
 */
export const unsavedFields = (
  typed: Record<string, string>,
  sent: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== sent[name]))
