/** Sentences with extras: the expected list and the extras with the heading of a PDF file. */
export const EXTRA_SENTENCES: [said: string, collection: string, extras: string][] = [
  [
    'Track orders: customer, pickup date, price, paid. Every order makes an invoice as PDF. Summarize each order. Count visitors.',
    'orders',
    'visits summary pdf:Invoice',
  ],
  [
    'Keep track of ideas: title, notes, day. Everyone sees only their own. Summarize the ideas. Ideas as PDF.',
    'ideas',
    'pdf summary',
  ],
  [
    'A list of courses with name and start date, only staff can add courses, and each course as a PDF',
    'courses',
    'pdf',
  ],
]
