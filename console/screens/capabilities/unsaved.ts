/**
 * Returns the typed texts that are not saved yet. A text that was changed while the request ran differs from
 * the one in `sent`, so it counts as unsaved.
 */
export const unsavedOf = <Value>(
  typed: Record<string, Value>,
  sent: Record<string, Value>,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== sent[name]))
