import { after, before, describe, test } from 'node:test'
import { href } from '../../../console/routes.ts'
import { openPausedModel, type PausedModel } from '../../support/paused-model.ts'
import { finish, type ScriptedStep, write } from '../../support/scripted-model.ts'
import { assertSoundApp, press } from './visitors.ts'
import { assertBecomes, assertSoundSizes, DESK, PHONE } from '../browser.ts'
import { shipScriptedApp } from '../scripted-project.ts'
import { type BrowserWorld, openBrowserWorld } from '../world.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Notebook',
  uses: ['ai'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notebook' }],
  ai: [{ task: 'summarize', system: 'Summarize the note in one sentence.', access: 'public' }],
}
const HOME = `import { useState } from 'react'
import { ai, Button, Page, TextArea } from '@slipway/app/react'

export default () => {
  const [note, setNote] = useState('')
  const [summary, setSummary] = useState('')
  const [problem, setProblem] = useState('')
  const summarize = async () => {
    try {
      await ai.task('summarize', note, { onText: setSummary })
      setProblem('')
    } catch (error) {
      setProblem(String((error as Error).message))
    }
  }
  return (
    <Page title="Notebook">
      {problem !== '' && <p role="alert">{problem}</p>}
      <TextArea label="Your note" value={note} onChange={setNote} />
      <Button onClick={() => void summarize()}>Summarize</Button>
      <p role="status">{summary}</p>
    </Page>
  )
}
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('an AI route of the app returns the summary of a note, and a 502 when the model fails', async () => {
  await app.ai.answers('Short.')
  const { body } = await app.post('/_app/ai/summarize', { input: 'A long note' })
  expect(body.data.text).toBe('Short.')
  expect((await app.ai.asked())[0]).toEqual({ system: 'Summarize the note in one sentence.', prompt: 'A long note' })
  await app.ai.fails()
  expect((await app.post('/_app/ai/summarize', { input: 'A long note' })).status).toBe(502)
})
`
const STEPS: ScriptedStep[] = [
  {
    toolCalls: [
      { name: 'enable_capability', args: { key: 'ai' } },
      write('app.json', JSON.stringify(MANIFEST)),
      write('web/pages/Home.tsx', HOME),
      write('tests/notes.test.ts', TEST),
    ],
  },
  { toolCalls: [finish('Notes are summarized.')], repeat: true },
]
const OTHER = 'Moss grows on the side of a tree that the sun does not reach, and needs no soil.'
const NOTE = 'Ferns like shade and water, and they do not like the sun at noon.'

describe('an app that summarizes notes, in the browser', () => {
  let world: BrowserWorld
  let ai: PausedModel
  let projectId: string
  let address: string

  before(async () => {
    ai = await openPausedModel()
    world = await openBrowserWorld({
      page: { viewport: DESK },
      env: { SLIPWAY_LOCAL_AI_URL: ai.url },
    })
    ;({ projectId, address } = await shipScriptedApp(world, {
      name: 'Notebook',
      title: 'Summaries of notes',
      steps: STEPS,
      settings: { ai: { monthlyRuns: 4 } },
    }))
  })
  after(async () => {
    await world?.close()
    await ai?.close()
  })

  test("a summary appears in the app's page piece by piece as the model writes it", async () => {
    const { page, assertQuiet } = await world.open('nobody', { viewport: PHONE })
    await page.goto(address)
    await page.getByLabel('Your note').fill(NOTE)
    await press(page, 'Summarize')
    const readStatusText = () => page.locator('#content').getByRole('status').textContent()
    await assertBecomes(readStatusText, NOTE)
    await assertSoundApp(page, 'app-ai')
    const finishAnswer = ai.hold()
    await page.getByLabel('Your note').fill(OTHER)
    await press(page, 'Summarize')
    await assertBecomes(readStatusText, OTHER.slice(0, OTHER.length / 2))
    finishAnswer()
    await assertBecomes(readStatusText, OTHER)
    assertQuiet()
  })

  test('the operator sends a test prompt from the console, and a used-up AI budget is shown in the console and in the app', async () => {
    const { page } = world
    await page.goto(world.url + href.capability(projectId, 'ai', { tab: 'live' }))
    await page.getByText('2 of 4 runs').waitFor()
    await page.getByLabel('Prompt').fill('What do ferns like?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('heading', { name: 'Answer' }).waitFor()
    await page.getByText('3 of 4 runs').waitFor()
    await assertSoundSizes(page, 'ai-budget')
    world.assertQuiet()
    const visitor = await world.open('nobody', { viewport: PHONE })
    await visitor.page.goto(address)
    for (const said of [NOTE, NOTE]) {
      await visitor.page.getByLabel('Your note').fill(said)
      await press(visitor.page, 'Summarize')
      await assertBecomes(() => visitor.page.locator('#content').getByRole('status').textContent(), NOTE)
    }
    const told = 'The 4 runs of this month are used up.'
    await visitor.page.getByRole('alert').filter({ hasText: told }).waitFor()
    visitor.assertQuiet(/429/)
  })
})
