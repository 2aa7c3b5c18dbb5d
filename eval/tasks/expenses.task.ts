import { addRecord, sees, seesNot } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'expenses',
  about: 'a sum over records, and a bug that must stay fixed',
  requires: ['free-form'],
  tickets: [
    {
      title: 'An expense list with its sum',
      body: 'Expenses have a title and an amount. The list shows them, and above it "Total" with the sum of all amounts, with two decimals.',
      checks: [
        {
          name: 'two expenses add up',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Train'],
              [/amount/i, '12.5'],
            ])
            await sees(page, 'Train')
            await addRecord(page, [
              [/title/i, 'Lunch'],
              [/amount/i, '7.25'],
            ])
            await sees(page, /19\.75/)
          },
          until: 2,
        },
      ],
    },
    {
      title: 'Negative amounts are accepted',
      body: 'An amount below zero must be refused with the message "The amount must not be negative." and nothing stored, by the server too.',
      type: 'bug',
      checks: [
        {
          name: 'a negative amount is refused and not stored',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Refund'],
              [/amount/i, '-5'],
            ])
            await sees(page, /must not be negative/i)
            await page.reload()
            await seesNot(page, 'Refund')
          },
        },
        { name: 'the sum is as before', run: (page) => sees(page, /19\.75/) },
      ],
    },
  ],
}
