import { listPage, scriptApp } from '../answers.ts'
import { asPerson, joinTeam, makeTeam, goHome, expectText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const SPRINT_PAGE = `import { api, Button, Card, Notice, Page, team, useAction } from '@slipway/app/react'
import { useEffect, useState } from 'react'

export default function Sprint() {
  const [teams, setTeams] = useState<{ id: string; name: string }[]>([])
  const [done, setDone] = useState('')
  const close = useAction(async (id: string) => {
    setDone((await api.post<{ text: string }>(\`/api/sprints/\${id}/close\`)).text)
  })
  useEffect(() => {
    void team.list().then(setTeams)
  }, [])
  return (
    <Page title="Sprint">
      {close.problem !== null && <Notice>{close.problem.text}</Notice>}
      <p role="status">{done}</p>
      {teams.map(({ id, name }) => (
        <Card key={id} title={name}>
          <Button onClick={() => void close.run(id)}>Close the sprint</Button>
        </Card>
      ))}
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, auth, team } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/sprints/:team/close', async (c) => {
  const id = c.req.param('team')
  await auth.require(c.req.raw, { team: id })
  const mine = (await team.as(c.req.raw).list()).find((one) => one.id === id)
  if (mine?.role !== 'owner') throw new ApiError('forbidden', 'Only an owner closes the sprint.')
  return c.json({ text: 'The sprint is closed.' })
})
`

export const task: Task = {
  name: 'team-sprint',
  about: 'roles in a team, kept by the server',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Owners of a team close its sprint',
      body: 'People sign in and make teams. The page "Sprint" has a button "Close the sprint" for each team one is in. For an owner it says "The sprint is closed."; for a member "Only an owner closes the sprint.", decided by the server.',
      script: scriptApp({
        name: 'Sprints',
        uses: ['auth', 'team'],
        pages: [{ ...listPage('Sprint', ''), access: 'members', source: SPRINT_PAGE }],
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'an owner closes the sprint, a member is refused',
          run: async (page) => {
            await signIn(page, 'Ada')
            const link = await makeTeam(page, 'Red')
            await goHome(page)
            await page.getByRole('button', { name: 'Close the sprint' }).first().click()
            await expectText(page, /the sprint is closed/i)
            await asPerson(page, 'Ben', async (ben) => {
              await joinTeam(ben, link)
              await ben.getByRole('button', { name: 'Close the sprint' }).first().click()
              await expectText(ben, /only an owner closes/i)
            })
          },
        },
      ],
    },
  ],
}
