import * as z from 'zod'

/** What is spent of a budget in the present month (UTC), by the live app and its preview. */
export const MonthSpend = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  used: z.int(),
  monthly: z.int(),
})
