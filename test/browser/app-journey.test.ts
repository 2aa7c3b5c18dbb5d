import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../console/routes.ts'
import { findStored } from '../../server/testing/stored.ts'
import { finish, write } from '../support/scripted-model.ts'
import { findViolations } from './axe.ts'
import { assertBecomes, assertSoundThemes, openPage, sidewaysOf } from './browser.ts'
import { chooseScriptedModel } from './scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from './world.ts'

const text = { type: 'text', required: true, search: true }
const MANIFEST = {
  slipway: 1,
  name: 'Book club',
  uses: ['auth', 'data'],
  pages: [
    { path: '/', file: 'Home.tsx', title: 'Notices' },
    { path: '/diary', file: 'Diary.tsx', title: 'My diary', access: 'members' },
  ],
  collections: {
    notices: { partition: 'app', read: 'public', write: 'nobody', fields: { title: text } },
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
const diary = (parts: string) => `import { useState } from 'react'
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
const PLAIN = diary('')
  .replace("import { files } from '@slipway/app/client'\n", '')
  .replace('api, Button, ', '')
const LIMITED = diary(`      <label>
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
const enable = (...keys: string[]) => ({
  toolCalls: keys.map((key) => ({ name: 'enable_capability', args: { key } })),
})
const manifest = (change: object) => write('app.json', JSON.stringify({ ...MANIFEST, ...change }, null, 2))

/** The model's turns for each of three tickets: accounts, a limit with files, a job. */
const STEPS = [
  [
    enable('auth', 'data'),
    {
      toolCalls: [
        manifest({}),
        write('web/pages/Home.tsx', HOME),
        write('web/pages/Diary.tsx', PLAIN),
        write(
          'tests/diary.test.ts',
          testOf(
            'a diary is its writer’s own',
            `  const [ada, ben] = [await app.signUp('Ada'), await app.signUp('Ben')]
  await ada.data.create('diary', { title: 'A quiet day' })
  expect((await ben.data.list('diary')).items).toEqual([])`,
          ),
        ),
      ],
    },
    { toolCalls: [finish('Everyone has a diary.')] },
  ],
  [
    enable('files', 'meter'),
    {
      toolCalls: [
        manifest({
          uses: ['auth', 'data', 'files', 'meter'],
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
    enable('schedule'),
    {
      toolCalls: [
        manifest({
          uses: ['auth', 'data', 'files', 'meter', 'schedule'],
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
const TICKETS = ['Everyone keeps a diary', 'Pictures, and two exports a day', 'Tidy the shelves every minute']
const CANARY = 'a day nobody else may know of'

/** An app of three tickets, from its first build to the erasure of one of its people. */
describe('an app whose people have accounts, files, limits and jobs', () => {
  let world: BrowserWorld
  let projectId: string
  let address: string
  before(async () => {
    world = await openBrowserWorld({ page: { viewport: { width: 1280, height: 900 } } })
    const { person, model } = world
    ;({ id: projectId } = await person.call<{ id: string }>('POST /projects', { name: 'Book club' }))
    const key = await chooseScriptedModel({ person, model }, { projectId, steps: [{ text: 'Nothing yet.' }] })
    const tickets = `/projects/${projectId}/tickets`
    for (const [n, title] of TICKETS.entries()) {
      const steps = STEPS[n] ?? []
      // On a busy machine the app's tests may time out once, so the last turn is scripted three times.
      await model.script(key, [...steps, ...steps.slice(-1), ...steps.slice(-1)])
      const { id } = await person.call<{ id: string }>(`POST ${tickets}`, { title })
      const built = await person.call<{ status: string }>(`POST ${tickets}/${id}/build`, {})
      assert.equal(built.status, 'built', title)
    }
    address = (await person.call<{ url: string }>(`POST /projects/${projectId}/deploy`)).url
  })
  after(() => world?.close())

  async function visit(path: string): Promise<Page> {
    const { page } = await openPage(world.browser, { viewport: { width: 390, height: 844 } })
    await page.goto(address + path)
    return page
  }
  async function signUp(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByLabel('Email').fill(`${name.toLowerCase()}@club.test`)
    await page.getByLabel('Password').fill(`${name} likes apples`)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('heading', { name: 'My diary' }).waitFor()
  }
  async function addEntry(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Add entry' }).click()
    await page.getByRole('list').or(page.getByRole('table')).getByText(title).first().waitFor()
  }
  const isStored = () =>
    findStored(join(world.service.dataDir, 'local'), [CANARY, 'flora@club.test', 'fern.txt'])

  test('people sign up, see their own records, upload a file, reach the limit, and see the result of the job', async () => {
    const [flora, gus] = [await visit('/diary'), await visit('/diary')]
    await signUp(flora, 'Flora')
    await signUp(gus, 'Gus')
    await addEntry(flora, CANARY)
    await addEntry(gus, 'A loud day')
    assert.equal(await gus.getByText(CANARY).count(), 0)
    const picture = { name: 'fern.txt', mimeType: 'text/plain', buffer: Buffer.from('a fern') }
    await flora.getByLabel('Picture').setInputFiles(picture)
    await flora.getByText('Kept fern.txt').waitFor()
    for (const said of ['Exported 1', 'Exported 1', /limit|left|used up/i]) {
      await flora.getByRole('button', { name: 'Export' }).click()
      await flora.getByRole('status').filter({ hasText: said }).waitFor()
    }
    assert.deepEqual(await findViolations(flora, 'all'), [])
    assert.equal(await sidewaysOf(flora), 0)
    await flora.goto(address)
    await flora.getByText('The shelves are tidy').first().waitFor({ timeout: 90_000 })
    await Promise.all([flora, gus].map((page) => page.context().close()))
  })

  test('the operator sees people, jobs and usage, appoints staff, and erases a person with all of their data', async () => {
    const { page } = world
    for (const [key, shown] of [
      ['schedule', 'tidy'],
      ['meter', 'exports'],
    ] as const) {
      await page.goto(`${world.url}${href.capability(projectId, key)}?tab=live`)
      await page.getByText(shown, { exact: true }).waitFor()
      await assertSoundThemes(page, `capability-${key}`, 1280)
    }
    await page.goto(`${world.url}${href.capability(projectId, 'auth')}?tab=live`)
    await page.getByLabel('Role of Gus').selectOption('staff')
    const roles = async () => {
      const users = await world.person.call<{ name: string; role: string }[]>(
        `GET /projects/${projectId}/capabilities/auth/users`,
      )
      return users.map(({ name, role }) => `${name} ${role}`).sort()
    }
    await assertBecomes(roles, ['Flora member', 'Gus staff'])
    await assertSoundThemes(page, 'capability-people', 1280)
    assert.notDeepEqual(isStored(), [])
    await page.getByRole('button', { name: 'Erase Flora' }).click()
    await page.getByRole('textbox').last().fill('flora@club.test')
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByText(/Flora was erased: 1 records? and 1 files? removed/).waitFor()
    await assertBecomes(roles, ['Gus staff'])
    assert.deepEqual(isStored(), [])
    world.assertQuiet()
  })
})
