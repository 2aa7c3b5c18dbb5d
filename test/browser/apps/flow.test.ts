import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundSizes, DESK } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Holidays',
  uses: ['data', 'flow'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Holidays' }],
  collections: {
    holidays: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { who: { type: 'text' }, state: { type: 'text' } },
    },
  },
  flows: [{ name: 'holiday', handler: 'holiday' }],
}
const HOME = `import { api, Button, Page, RecordList } from '@slipway/app/react'

export default () => (
  <Page title="Holidays">
    <Button onClick={() => void api.post('/api/ask')}>Ask</Button>
    <Button onClick={() => void api.post('/api/approve')}>Approve</Button>
    <RecordList collection="holidays" />
  </Page>
)
`
const ROUTES = `import { flow } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/ask', async (c) => c.json(await flow.start('holiday', { who: 'Ada' }, { id: 'holiday-ada' })))
routes.post('/approve', async (c) => {
  await flow.signal('holiday-ada', 'approved', { by: 'Ben' })
  return c.json({})
})
`
const JOB = `import { data, type FlowStep } from '@slipway/app/server'

export default async ({ who }: { who: string }, step: FlowStep) => {
  const { id } = await step.do('note', () => data.system.create('holidays', { who, state: 'asked' }))
  const answer = await step.waitFor<{ by: string }>('approved', { timeoutSeconds: 604_800 })
  const state = answer === null ? 'not answered' : 'approved by ' + answer.by
  await step.do('answer', () => data.system.update('holidays', id, { state }))
}
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

const states = async () => (await app.data.list('holidays')).items.map(({ state }) => state)

test('a holiday request that was approved shows who approved it', async () => {
  await app.post('/api/ask')
  expect(await states()).toEqual(['asked'])
  await app.post('/api/approve')
  expect(await states()).toEqual(['approved by Ben'])
})

test('a holiday request without an answer after a week has the state "not answered"', async () => {
  await app.flow.start('holiday', { who: 'Cleo' }, { id: 'late' })
  await app.clock.advance({ days: 8 })
  expect((await states()).includes('not answered')).toBe(true)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'data' } },
      { name: 'enable_capability', args: { key: 'flow' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('server/routes.ts', ROUTES),
      write('server/jobs/holiday.ts', JOB),
      write('tests/holidays.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Holidays wait for their approval.')], repeat: true },
]

describe('a flow of an app, in the browser', () => {
  let world: BrowserWorld
  let page: Page
  let projectId: string
  let address: string

  before(async () => {
    world = await openBrowserWorld({ page: { viewport: DESK } })
    page = world.page
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Holidays',
      title: 'Holidays need an approval',
      steps: STEPS,
    }))
  })
  after(() => world?.close())

  test('the console shows a workflow run that waits, and shows it as complete after the app sends the event it waits for', async () => {
    await page.goto(world.url + href.capability(projectId, 'flow', { tab: 'live' }))
    await page.getByText('No flow has run yet').waitFor()

    const app = await page.context().newPage()
    await app.goto(address)
    await app.getByRole('button', { name: 'Ask' }).click()
    await app.getByText('asked', { exact: true }).waitFor()

    await page.reload()
    await page.getByRole('button', { name: /holiday-ada/ }).click()
    const steps = page.getByRole('list', { name: 'Steps of holiday-ada' })
    await steps.getByText('approved').waitFor()
    await page.getByText('Flow holiday').waitFor()
    await page.getByRole('button', { name: 'Cancel run' }).waitFor()
    await assertSoundSizes(page, 'flow-run-waiting')

    await app.getByRole('button', { name: 'Approve' }).click()
    await app.getByText('approved by Ben').waitFor()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await steps.getByText('answer').waitFor()
    await page.getByRole('button', { name: /holiday-ada.*is complete/ }).waitFor()
    await app.close()
  })
})
