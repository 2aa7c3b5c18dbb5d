import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import {
  addRecord,
  asPerson,
  joinTeam,
  makeTeam,
  goHome,
  expectText,
  expectNoText,
  signIn,
} from '../steps.ts'
import type { Task } from '../task.ts'

const TEAM_PAGE = `import { Card, EmptyState, Page, RecordForm, RecordList, team } from '@slipway/app/react'
import { useEffect, useState } from 'react'

export default function Tasks() {
  const [teams, setTeams] = useState<{ id: string; name: string }[]>([])
  useEffect(() => {
    void team.list().then(setTeams)
  }, [])
  return (
    <Page title="Tasks">
      {teams.length === 0 && <EmptyState title="You are in no team yet" />}
      {teams.map(({ id, name }) => (
        <Card key={id} title={name}>
          <RecordForm collection="tasks" partition={id} submitLabel="Add" />
          <RecordList collection="tasks" partition={id} />
        </Card>
      ))}
    </Page>
  )
}
`

export const task: Task = {
  name: 'team-tasks',
  about: "each team's own records",
  requires: ['free-form'],
  tickets: [
    {
      title: 'Tasks of a team',
      body: 'People sign in and make teams. The page "Tasks" shows the tasks (title) of every team one is in, with a form to add one. Nobody outside a team sees its tasks.',
      script: scriptApp({
        name: 'Team tasks',
        uses: ['auth', 'data', 'team'],
        pages: [{ ...listPage('Tasks', ''), access: 'members', source: TEAM_PAGE }],
        collections: {
          tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: TEXT_FIELD } },
        },
      }),
      checks: [
        {
          name: 'a member of the team sees its tasks, another person does not',
          run: async (page) => {
            await signIn(page, 'Ada')
            const link = await makeTeam(page, 'Red')
            await asPerson(page, 'Ben', (ben) => joinTeam(ben, link))
            await goHome(page)
            await addRecord(page, [[/title/i, 'Paint the boat']])
            await expectText(page, 'Paint the boat')
            await asPerson(page, 'Ben', (ben) => expectText(ben, 'Paint the boat'))
            await asPerson(page, 'Eve', (eve) => expectNoText(eve, 'Paint the boat'))
          },
        },
      ],
    },
  ],
}
