import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const STOCK_PAGE = `import { api, Button, Notice, Page, RecordForm, useAction, useQuery } from '@slipway/app/react'

export default function Stock() {
  const { rows } = useQuery('items', {})
  const take = useAction((id: string) => api.post(\`/api/items/\${id}/take\`))
  return (
    <Page title="Stock">
      <RecordForm collection="items" submitLabel="Add" />
      {take.problem !== null && <Notice>{take.problem.text}</Notice>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            {row.name}: {row.count} left
            <Button busy={take.busy} onClick={() => void take.run(row.id)}>{\`Take \${row.name}\`}</Button>
          </li>
        ))}
      </ul>
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/items/:id/take', async (c) => {
  const item = await data.system.get('items', c.req.param('id'))
  if (item === null) throw new ApiError('not_found', 'No such item.')
  const count = item.count ?? 0
  if (count < 1) throw new ApiError('conflict', 'None is left.')
  return c.json(await data.system.update('items', item.id, { count: count - 1 }, { rev: item.rev }))
})
`

export const task: Task = {
  name: 'stock',
  about: 'a count that never falls below zero',
  requires: ['free-form'],
  tickets: [
    {
      title: 'What is left in the store room',
      body: 'An item has a name and a count. The list says "Lamp: 2 left" with a button "Take Lamp" that takes one. At zero it is refused with "None is left."',
      script: scriptApp({
        name: 'Store room',
        uses: ['data'],
        pages: [{ ...listPage('Stock', ''), source: STOCK_PAGE }],
        collections: { items: openCollection('Items', { name: TEXT_FIELD, count: { type: 'integer' } }) },
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'the last one is taken, and then none is left',
          run: async (page) => {
            await addRecord(page, [
              [/name/i, 'Lamp'],
              [/count/i, '1'],
            ])
            await expectText(page, /Lamp: 1 left/)
            const take = page.getByRole('button', { name: 'Take Lamp' }).first()
            await take.click()
            await expectText(page, /Lamp: 0 left/)
            await page.reload()
            await take.click()
            await expectText(page, /none is left/i)
          },
        },
      ],
    },
  ],
}
