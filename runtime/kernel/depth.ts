/** Writing deeper JSON as text is recursive and may overflow the stack, so the service and the apps refuse it. */
const DEPTH_MAX = 100

/** Whether a value is nested more than 100 levels deep. */
export const isTooDeep = (value: unknown, levels = DEPTH_MAX): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1)))
