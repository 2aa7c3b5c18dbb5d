import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { assertAlert, press, Refusal, serve, show } from '../../testing/console.tsx'
import { UsagePanel } from './usage-panel.tsx'

const USAGE = 'GET /projects/prj_1/usage'
const spent = (part: object = {}) => ({
  input: 1_234_567,
  output: 20,
  cacheRead: 1000,
  cacheWrite: 0,
  runs: 3,
  costUsd: null,
  estimated: false,
  ...part,
})
const model = (name: string, part: object = {}) => ({ provider: 'openai', model: name, ...spent(part) })
const usage = (models: object[], part: object = {}) => ({
  models,
  total: spent(),
  medianBuild: null,
  ...part,
})

async function showUsage(answer: unknown) {
  serve({ [USAGE]: () => answer })
  show(<UsagePanel projectId="prj_1" />)
  await screen.findByRole('table')
}
/** The cells of each row, without the labels that only a narrow window shows. */
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [
      ...Array.from(row.querySelectorAll('th > span'), (part) => part.textContent),
      ...Array.from(row.querySelectorAll('td'), (cell) => cell.lastChild?.textContent),
    ])
const lead = () => document.querySelector('p')?.textContent?.trim()

describe('the token usage of a project', () => {
  test('the usage of each model is listed with its token counts, and with the cost when its prices are known', async () => {
    await showUsage(
      usage([model('gpt', { costUsd: 0.421 }), model('local', { provider: 'own', estimated: true })]),
    )
    assert.deepEqual(rows(), [
      ['gpt', 'openai · about $0.42', '1,234,567', '1,000', '20', '3'],
      ['local', 'own · partly estimated', '1,234,567', '1,000', '20', '3'],
      ['All models', '', '1,234,567', '1,000', '20', '3'],
    ])
    assert.equal(lead(), 'Builds, plan turns and captures, failed ones included.')
  })

  test('the usage table of a single model has no total row, and the median token count of the last successful builds is shown', async () => {
    const total = spent({ estimated: true })
    const medianBuild = { tokens: 12_400, costUsd: 0.001 }
    await showUsage(usage([model('gpt')], { total, medianBuild }))
    assert.equal(rows().length, 1)
    assert.equal(
      lead(),
      'Builds, plan turns and captures, failed ones included. Partly estimated: the provider did not report numbers. ' +
        'Half of the last green builds used at most 12.4k tokens, less than $0.01 at list prices.',
    )
  })

  test('the usage panel says when a project used no tokens, and offers a retry when the usage cannot be loaded', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    serve({ [USAGE]: () => answer })
    show(<UsagePanel projectId="prj_1" />)
    await assertAlert(/The tokens could not be read.*You may not/)
    answer = usage([])
    press(/again/i)
    assert.ok(await screen.findByText('No tokens used yet'))
  })
})
