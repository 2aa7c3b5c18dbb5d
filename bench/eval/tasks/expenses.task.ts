import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText, expectNoText } from '../steps.ts'
import type { Task } from '../task.ts'

const EXPENSES_PAGE = `import { api, Page, RecordForm, RecordList, useQuery } from '@slipway/app/react'

export default function Expenses() {
  const { rows } = useQuery('expenses', {})
  const total = rows.reduce((sum, row) => sum + row.amount, 0)
  return (
    <Page title="Expenses">
      <p>Total {total.toFixed(2)}</p>
      <RecordForm collection="expenses" submitLabel="Add" onSubmit={(input) => api.post('/api/expenses', input)} />
      <RecordList collection="expenses" />
    </Page>
  )
}
`
const REJECT_NEGATIVE = `if (input.amount < 0) throw new ApiError('invalid_request', 'The amount must not be negative.', { field: 'amount' })`
const expensesApp = (guard: string) =>
  scriptApp({
    name: 'Expenses',
    uses: ['data'],
    pages: [{ ...listPage('Expenses', ''), source: EXPENSES_PAGE }],
    collections: {
      expenses: {
        ...openCollection('Expenses', { title: TEXT_FIELD, amount: { type: 'number', required: true } }),
        write: 'nobody',
      },
    },
    files: {
      'server/routes.ts': `import { ${guard === '' ? '' : 'ApiError, '}data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/expenses', async (c) => {
  const input = await c.req.json<{ title: string; amount: number }>()
  ${guard}
  return c.json(await data.system.create('expenses', input))
})
`,
    },
  })

export const task: Task = {
  name: 'expenses',
  about: 'a sum over records, and a bug that must stay fixed',
  requires: ['free-form'],
  tickets: [
    {
      title: 'An expense list with its sum',
      body: 'Expenses have a title and an amount. The list shows them, and above it "Total" with the sum of all amounts, with two decimals.',
      script: expensesApp(''),
      checks: [
        {
          name: 'two expenses add up',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Train'],
              [/amount/i, '12.5'],
            ])
            await expectText(page, 'Train')
            await addRecord(page, [
              [/title/i, 'Lunch'],
              [/amount/i, '7.25'],
            ])
            await expectText(page, /19\.75/)
          },
          until: 2,
        },
      ],
    },
    {
      title: 'Negative amounts are accepted',
      body: 'An amount below zero must be refused with the message "The amount must not be negative." and nothing stored, by the server too.',
      type: 'bug',
      script: expensesApp(REJECT_NEGATIVE),
      checks: [
        {
          name: 'a negative amount is refused and not stored',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Refund'],
              [/amount/i, '-5'],
            ])
            await expectText(page, /must not be negative/i)
            await page.reload()
            await expectNoText(page, 'Refund')
          },
        },
        { name: 'the sum is as before', run: (page) => expectText(page, /19\.75/) },
      ],
    },
  ],
}
