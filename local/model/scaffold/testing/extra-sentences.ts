/** Requests, each with the expected list and extras. A PDF extra is written with its heading, a mail extra with its address. */
export const EXTRA_SENTENCES: [said: string, collection: string, extras: string][] = [
  [
    'Track orders: customer, email, pickup date, price, paid. Mail shop@example.com when an order comes in. Every order makes an invoice as PDF. Summarize each order. Count visitors.',
    'orders',
    'visits summary pdf:Invoice mail:shop@example.com',
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
  [
    'A contact form with name, email and message. Protect the contact form from bots. Contacts as PDF.',
    'contacts',
    'pdf guard',
  ],
  [
    'Plan bookings: name, day, notes. Notify me on my phone when a booking comes in. Protect the booking form from bots.',
    'bookings',
    'guard push',
  ],
  [
    'Feedback: name, message, rating. People should sign in. Push notifications for each new feedback. For each new feedback, send a mail to team@example.com',
    'feedback',
    'mail:team@example.com push',
  ],
  [
    'Keep track of expenses: amount, date. Everyone sees only their own. Expenses as PDF. Each person may add 3 expenses a day.',
    'expenses',
    'pdf limit:3 a day',
  ],
]
