import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show, untilSent } from '../../../testing/console.tsx'
import { AiBudget } from './live-tab.tsx'

const READ_SPEND = 'GET /projects/prj_1/capabilities/ai/spend'
const RUN_PROMPT = 'POST /projects/prj_1/capabilities/ai/run'
const READ_CAPABILITY = 'GET /projects/prj_1/capabilities/ai'
const capability = {
  key: 'ai',
  title: 'AI',
  enabled: true,
  settings: { monthlyRuns: 500 },
  provision: { state: 'idle' },
}
const askButton = () => screen.getByRole('button', { name: 'Ask' })
const disabledReason = () => askButton().getAttribute('aria-description')
const typePrompt = (prompt: string) =>
  fireEvent.change(screen.getByLabelText('Prompt'), { target: { value: prompt } })

describe('the monthly model runs and the test prompt', () => {
  test('the AI page shows the used and remaining model runs of the month and the date of the reset', async () => {
    serve({ [READ_CAPABILITY]: () => capability, [READ_SPEND]: () => ({ month: '2026-12', used: 120 }) })
    show(<AiBudget projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('120 of 500 runs')))
    assert.ok(isShown('December 2026'))
    assert.ok(isShown('380 left. The count starts again on January 1, 2027 (UTC).'))
    assert.equal(screen.getByRole('meter').getAttribute('aria-valuenow'), '120')
    assert.equal(disabledReason(), 'Fill in “Prompt” first.')
  })

  test('a test prompt shows the reply of the model and refetches the number of used model runs', async () => {
    let used = 3
    const calls = serve({
      [READ_CAPABILITY]: () => capability,
      [READ_SPEND]: () => ({ month: '2026-11', used }),
      [RUN_PROMPT]: () => {
        used++
        return { text: 'Ferns like shade.' }
      },
    })
    show(<AiBudget projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('3 of 500 runs')))
    typePrompt('What do ferns like?')
    fireEvent.click(askButton())
    await waitFor(() => assert.ok(isShown('Ferns like shade.')))
    assert.deepEqual(calls[RUN_PROMPT]?.[0]?.body, { prompt: 'What do ferns like?' })
    await waitFor(() => assert.ok(isShown('4 of 500 runs')))
  })

  test('a typed test prompt survives a reload, but only in the field of its own project', async () => {
    const spend = { month: '2026-11', used: 3 }
    serve({
      [READ_CAPABILITY]: () => capability,
      [READ_SPEND]: () => spend,
      [READ_CAPABILITY.replace('prj_1', 'prj_2')]: () => capability,
      [READ_SPEND.replace('prj_1', 'prj_2')]: () => spend,
    })
    const promptOf = async (projectId: string) => {
      cleanup()
      show(<AiBudget projectId={projectId} />)
      return (await screen.findByLabelText<HTMLTextAreaElement>('Prompt')).value
    }
    assert.equal(await promptOf('prj_1'), '')
    typePrompt('What do ferns like?')
    assert.deepEqual([await promptOf('prj_2'), await promptOf('prj_1')], ['', 'What do ferns like?'])
    typePrompt('')
    assert.equal(await promptOf('prj_1'), '')
  })

  test('a failed test prompt shows the reason, stays in its field and is not retried automatically', async () => {
    const calls = serve({
      [READ_CAPABILITY]: () => capability,
      [READ_SPEND]: () => ({ month: '2026-11', used: 3 }),
      [RUN_PROMPT]: () => new Refusal(502, 'model_error', 'The model provider refused the key.'),
    })
    show(<AiBudget projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('3 of 500 runs')))
    typePrompt('Hi')
    fireEvent.click(askButton())
    await waitFor(() => assert.ok(isShown('No usable response')))
    assert.ok(isShown('The model provider refused the key.'))
    assert.equal(screen.getByLabelText<HTMLTextAreaElement>('Prompt').value, 'Hi')
    assert.equal(calls[RUN_PROMPT]?.length, 1, 'a run that may have cost is not repeated')
  })

  test('when the model runs of the month are used up, a test prompt cannot be sent, and the button gives the reason', async () => {
    const calls = serve({
      [READ_CAPABILITY]: () => capability,
      [READ_SPEND]: () => ({ month: '2026-11', used: 500 }),
      [RUN_PROMPT]: () => ({ text: 'Ferns like shade.' }),
    })
    show(<AiBudget projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Used up. The app is refused until December 1, 2026 (UTC).')))
    const raise = screen.getByRole('link', { name: 'Raise the limit in the settings' })
    assert.match(raise.getAttribute('href') ?? '', /\/capabilities\/ai$/)
    typePrompt('Hi')
    assert.equal(disabledReason(), 'The runs of this month are used up.')
    fireEvent.click(askButton())
    await untilSent()
    assert.deepEqual(calls[RUN_PROMPT], [])
  })

  test('the AI page of an app that was never shipped asks the person to ship it', async () => {
    serve({
      [READ_CAPABILITY]: () => capability,
      [READ_SPEND]: () => new Refusal(404, 'not_enabled', 'AI is on, but not deployed yet.'),
    })
    show(<AiBudget projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
