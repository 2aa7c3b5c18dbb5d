import { listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, asPerson, expectText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const IDEAS_PAGE = `import { api, Button, Notice, Page, RecordForm, useAction, useApi } from '@slipway/app/react'

interface Idea {
  id: string
  title: string
  votes: number
}

export default function Ideas() {
  const { data, reload } = useApi<Idea[]>('/api/ideas', { follow: ['ideas', 'votes'] })
  const vote = useAction(async (id: string) => {
    await api.post(\`/api/ideas/\${id}/vote\`)
    reload()
  })
  return (
    <Page title="Ideas">
      <RecordForm collection="ideas" submitLabel="Add" />
      {vote.problem !== null && <Notice>{vote.problem.text}</Notice>}
      <ul>
        {data?.map((idea) => (
          <li key={idea.id}>
            {idea.title}: {idea.votes} {idea.votes === 1 ? 'vote' : 'votes'}
            <Button busy={vote.busy} onClick={() => void vote.run(idea.id)}>{\`Vote for \${idea.title}\`}</Button>
          </li>
        ))}
      </ul>
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, auth, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/ideas', async (c) => {
  const votes = await data.system.list('votes', { limit: 200 })
  const { items } = await data.system.list('ideas')
  return c.json(
    items.map(({ id, title }) => ({ id, title, votes: votes.items.filter((vote) => vote.idea === id).length })),
  )
})
routes.post('/ideas/:id/vote', async (c) => {
  const user = await auth.require(c.req.raw)
  const key = \`\${user.id}:\${c.req.param('id')}\`
  const { items } = await data.system.list('votes', { where: { key } })
  if (items.length > 0) throw new ApiError('conflict', 'You have voted already.')
  return c.json(await data.system.create('votes', { idea: c.req.param('id'), key }))
})
`

export const task: Task = {
  name: 'ideas',
  about: 'one vote for each person, counted and kept by the server',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Vote on ideas',
      body: 'Anyone adds an idea with a title. People who are signed in vote with the button "Vote for <title>"; an idea shows "1 vote" or "2 votes". A second vote of the same person is refused with "You have voted already."',
      script: scriptApp({
        name: 'Ideas',
        uses: ['auth', 'data'],
        pages: [{ ...listPage('Ideas', 'ideas'), source: IDEAS_PAGE }],
        collections: {
          ideas: openCollection('Ideas', { title: TEXT_FIELD }),
          votes: {
            partition: 'app',
            read: 'members',
            write: 'nobody',
            fields: { idea: TEXT_FIELD, key: { ...TEXT_FIELD, unique: true } },
          },
        },
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'a second vote of the same person is refused, and another person counts',
          run: async (page) => {
            await signIn(page, 'Ada')
            await addRecord(page, [[/title/i, 'Longer lunch']])
            const vote = page.getByRole('button', { name: 'Vote for Longer lunch' }).first()
            await vote.click()
            await expectText(page, /\b1 vote(?!s)/)
            await page.reload()
            await vote.click()
            await expectText(page, /voted already/i)
            await asPerson(page, 'Ben', async (ben) => {
              await ben.getByRole('button', { name: 'Vote for Longer lunch' }).first().click()
              await expectText(ben, /\b2 votes/)
            })
          },
        },
      ],
    },
  ],
}
