/** The maximum nesting of JSON. Serializing is recursive, so deeper JSON could overflow the stack. */
const DEPTH_MAX = 100

/** Returns whether a value is nested more than 100 levels deep. */
export const isTooDeep = (value: unknown, levels = DEPTH_MAX): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1)))
