import * as z from 'zod'

/** How much of a monthly budget the live app and its preview have used together in the current month (UTC). */
export const MonthSpend = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  used: z.int(),
  monthly: z.int(),
})
