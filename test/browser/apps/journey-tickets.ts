import { finish, write } from '../../support/scripted-model.ts'
import { TEAM_TASKS } from './team-page.ts'

const text = { type: 'text', required: true, search: true }
const MANIFEST = {
  slipway: 1,
  name: 'Book club',
  uses: ['auth', 'data', 'team'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Notices' },
    { path: '/diary', file: 'Diary.tsx', title: 'My diary', access: 'members' },
    { path: '/tasks', file: 'Tasks.tsx', title: 'Tasks', access: 'members' },
  ],
  collections: {
    notices: { partition: 'app', read: 'public', write: 'nobody', fields: { title: text } },
    tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: text } },
    diary: { partition: 'user', read: 'owner', write: 'owner', fields: { title: text } },
  },
}
const HOME = `import { Page, RecordList } from '@slipway/app/react'
export default () => (
  <Page title="Notices">
    <RecordList collection="notices" columns={['title']} />
  </Page>
)
`
const diaryPage = (parts: string) => `import { useState } from 'react'
import { ApiError, api, Button, Page, RecordForm, RecordList } from '@slipway/app/react'
import { files } from '@slipway/app/client'

export default function Diary() {
  const [said, setSaid] = useState('')
  const tell = (work: () => Promise<string>) => async () => {
    try {
      setSaid(await work())
    } catch (error) {
      setSaid(error instanceof ApiError ? error.message : String(error))
    }
  }
  return (
    <Page title="My diary">
      <RecordForm collection="diary" submitLabel="Add entry" />
      <RecordList collection="diary" columns={['title']} />
${parts}
      <p role="status">{said}</p>
    </Page>
  )
}
`
const PLAIN = diaryPage('')
  .replace("import { files } from '@slipway/app/client'\n", '')
  .replace('api, Button, ', '')
const LIMITED = diaryPage(`      <label>
        Picture
        <input
          type="file"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) void tell(async () => 'Kept ' + (await files.upload(file)).name)()
          }}
        />
      </label>
      <Button onClick={tell(async () => (await api.post<{ text: string }>('/api/export', {})).text)}>Export</Button>`)
const ROUTES = `import { auth, data, meter } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/export', async (c) => {
  const { id } = await auth.require(c.req.raw)
  await meter.require('exports', id)
  const { items } = await data.as(c.req.raw).list('diary')
  return c.json({ text: 'Exported ' + items.length })
})
`
const TIDY = `import { data } from '@slipway/app/server'

export default async () => {
  await data.system.create('notices', { title: 'The shelves are tidy' })
}
`
const testOf = (name: string, lines: string) => `import { app, expect, test } from '@slipway/app/testing'

test('${name}', async () => {
${lines}
})
`
const enableStep = (...keys: string[]) => ({
  toolCalls: keys.map((key) => ({ name: 'enable_capability', args: { key } })),
})
const writeManifest = (change: object) =>
  write('app.json', JSON.stringify({ ...MANIFEST, ...change }, null, 2))

const STEPS = [
  [
    enableStep('auth', 'data', 'team'),
    {
      toolCalls: [
        writeManifest({}),
        write('web/pages/Home.tsx', HOME),
        write('web/pages/Diary.tsx', PLAIN),
        write('web/pages/Tasks.tsx', TEAM_TASKS),
        write(
          'tests/diary.test.ts',
          testOf(
            'a diary is its writer’s own',
            `  const ada = await app.signUp('Ada')
  await ada.data.create('diary', { title: 'A quiet day' })
  await expect(app.data.list('diary')).toReject('unauthorized')`,
          ),
        ),
      ],
    },
    { toolCalls: [finish('Everyone has a diary.')] },
  ],
  [
    enableStep('files', 'meter'),
    {
      toolCalls: [
        writeManifest({
          uses: ['auth', 'data', 'team', 'files', 'meter'],
          meters: [{ key: 'exports', per: 'user', window: 'day', limit: 2 }],
        }),
        write('server/routes.ts', ROUTES),
        write('web/pages/Diary.tsx', LIMITED),
        write(
          'tests/export.test.ts',
          testOf(
            'two exports a day',
            `  const ada = await app.signUp('Ada')
  for (const status of [200, 200, 429]) expect((await ada.post('/api/export')).status).toBe(status)`,
          ),
        ),
      ],
    },
    { toolCalls: [finish('Two exports a day, and pictures.')] },
  ],
  [
    enableStep('schedule'),
    {
      toolCalls: [
        writeManifest({
          uses: ['auth', 'data', 'team', 'files', 'meter', 'schedule'],
          meters: [{ key: 'exports', per: 'user', window: 'day', limit: 2 }],
          schedules: [{ name: 'tidy', every: 'minute', handler: 'tidy' }],
        }),
        write('server/jobs/tidy.ts', TIDY),
        write(
          'tests/tidy.test.ts',
          testOf(
            'tidying is announced',
            `  await app.runJob('tidy')
  expect((await app.data.list('notices')).items.length).toBe(1)`,
          ),
        ),
      ],
    },
    { toolCalls: [finish('The shelves are tidied.')] },
  ],
]
const TITLES = ['Everyone keeps a diary', 'Pictures, and two exports a day', 'Tidy the shelves every minute']

/**
 * Three tickets of one app, each with the scripted responses of the model. They add accounts with teams, file
 * uploads with a usage limit, and a scheduled job.
 */
export const TICKETS = TITLES.map((title, n) => ({ title, steps: STEPS[n] ?? [] }))
