/**
 * Returns what was typed into a form without what is saved now. The text of a field that changed while the request ran is not the one in
 * `sent`, so it stays.
 */
export const unsavedOf = <Value>(
  typed: Record<string, Value>,
  sent: Record<string, Value>,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== sent[name]))
