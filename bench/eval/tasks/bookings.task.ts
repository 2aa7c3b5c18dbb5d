import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText, expectNoText } from '../steps.ts'
import type { Task } from '../task.ts'

const BOOKINGS_PAGE = `import { api, Page, RecordForm, RecordList } from '@slipway/app/react'

export default () => (
  <Page title="Bookings">
    <RecordForm collection="bookings" submitLabel="Add" onSubmit={(input) => api.post('/api/bookings', input)} />
    <RecordList collection="bookings" />
  </Page>
)
`
const ROUTES_TS = `import { ApiError, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/bookings', async (c) => {
  const input = await c.req.json<{ name: string; day: string }>()
  const { items } = await data.system.list('bookings', { where: { day: input.day } })
  if (items.length > 0) throw new ApiError('conflict', 'This day is taken.', { field: 'day' })
  return c.json(await data.system.create('bookings', input))
})
`

export const task: Task = {
  name: 'bookings',
  about: 'a conflict that the server finds',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Book the cabin',
      body: 'A booking has a name and a day (a date). The list shows all. A day that is taken is refused with "This day is taken." and nothing is stored.',
      script: scriptApp({
        name: 'Cabin',
        uses: ['data'],
        pages: [{ ...listPage('Bookings', ''), source: BOOKINGS_PAGE }],
        collections: {
          bookings: {
            ...openCollection('Bookings', {
              name: TEXT_FIELD,
              day: { type: 'date', required: true, index: true },
            }),
            write: 'nobody',
          },
        },
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'a taken day is refused and not stored',
          run: async (page) => {
            const book = (name: string) =>
              addRecord(page, [
                [/name/i, name],
                [/day/i, '2027-03-01'],
              ])
            await book('Ada')
            await expectText(page, 'Ada')
            await page.reload()
            await book('Grace')
            await expectText(page, /day is taken/i)
            await page.reload()
            await expectText(page, 'Ada')
            await expectNoText(page, 'Grace')
          },
        },
      ],
    },
  ],
}
