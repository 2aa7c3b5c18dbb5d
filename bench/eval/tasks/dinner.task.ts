import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import { asPerson, expectText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const DINNER_PAGE = `import { api, Button, Notice, Page, useAction, useApi } from '@slipway/app/react'

export default function Dinner() {
  const { data, reload } = useApi<{ names: string[] }>('/api/guests', { follow: ['guests'] })
  const change = useAction(async (path: string) => {
    await api.post(path)
    reload()
  })
  return (
    <Page title="Dinner">
      {change.problem !== null && <Notice>{change.problem.text}</Notice>}
      <p>{data?.names.length ?? 0} of 2 seats taken</p>
      <ul>{data?.names.map((name) => <li key={name}>{name}</li>)}</ul>
      <Button busy={change.busy} onClick={() => void change.run('/api/join')}>Join</Button>
      <Button busy={change.busy} onClick={() => void change.run('/api/leave')}>Leave</Button>
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, auth, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/guests', async (c) => {
  const { items } = await data.system.list('guests')
  return c.json({ names: items.map((guest) => guest.name) })
})
routes.post('/join', async (c) => {
  const { name } = await auth.require(c.req.raw)
  const { items } = await data.system.list('guests')
  if (items.some((guest) => guest.name === name)) return c.json({})
  if (items.length >= 2) throw new ApiError('conflict', 'The dinner is full.')
  return c.json(await data.system.create('guests', { name }))
})
routes.post('/leave', async (c) => {
  const { name } = await auth.require(c.req.raw)
  const { items } = await data.system.list('guests')
  for (const guest of items) if (guest.name === name) await data.system.remove('guests', guest.id)
  return c.json({})
})
`

export const task: Task = {
  name: 'dinner',
  about: 'a number of seats that people take and give back',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Sign up for the dinner',
      body: 'People who are signed in press "Join" or "Leave". The page lists who comes and says "1 of 2 seats taken". With two people it is full: a third is refused with "The dinner is full."',
      script: scriptApp({
        name: 'Dinner',
        uses: ['auth', 'data'],
        pages: [{ ...listPage('Dinner', ''), access: 'members', source: DINNER_PAGE }],
        collections: {
          guests: { partition: 'app', read: 'members', write: 'nobody', fields: { name: TEXT_FIELD } },
        },
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'two people take the seats, a third is refused until one leaves',
          run: async (page) => {
            const press = (who: typeof page, name: string) =>
              who.getByRole('button', { name, exact: true }).click()
            await signIn(page, 'Ada')
            await press(page, 'Join')
            await expectText(page, /\b1 of 2\b/)
            await asPerson(page, 'Ben', async (ben) => {
              await press(ben, 'Join')
              await expectText(ben, /\b2 of 2\b/)
            })
            await asPerson(page, 'Eve', async (eve) => {
              await press(eve, 'Join')
              await expectText(eve, /dinner is full/i)
              await press(page, 'Leave')
              await expectText(page, /\b1 of 2\b/)
              await press(eve, 'Join')
              await expectText(eve, /\b2 of 2\b/)
            })
          },
        },
      ],
    },
  ],
}
