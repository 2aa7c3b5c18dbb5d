import * as z from 'zod'

/** The use of a budget in the current month (UTC), by the live app and its preview together. */
export const MonthSpend = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  used: z.int(),
  monthly: z.int(),
})
