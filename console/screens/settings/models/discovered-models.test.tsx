import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { ModelFinding } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { field, isShown, isThere, show, write } from '../../../testing/console.tsx'
import { DiscoveredModels } from './discovered-models.tsx'

const findingOf = (test: Partial<ModelFinding['test']> = {}, part: Partial<ModelFinding> = {}) =>
  ({
    provider: 'openai',
    name: 'Acme',
    baseUrl: null,
    models: [
      { id: 'acme-large', recommended: false },
      { id: 'acme-small', recommended: true },
    ],
    test: { model: 'acme-small', ok: true, latencyMs: 1500, error: null, ...test },
    ...part,
  }) as ModelFinding
const refusal = (message: string, code = 'invalid_request') =>
  new SlipwayError(message, { code, status: 400, requestId: 'req_test' })

interface Shown {
  finding?: ModelFinding
  model?: string
  isTrying?: boolean
  saveFailure?: Error | null
}

function renderModels({
  finding = findingOf(),
  model = finding.test.model,
  isTrying = false,
  saveFailure = null,
}: Shown = {}) {
  const chosen: string[] = []
  const { rerender } = show(<></>)
  const change = (next: Shown) =>
    rerender(
      <DiscoveredModels
        {...{ finding, model, isTrying, saveFailure, ...next }}
        onModel={(id) => chosen.push(id)}
      />,
    )
  change({})
  return { chosen, change }
}

describe('the models that were found with a key', () => {
  test('found models are offered in the order of the service, and the recommended model is marked', () => {
    const { chosen } = renderModels()
    assert.ok(isThere('region', 'Acme: 2 models'))
    assert.deepEqual(
      screen.getAllByRole('option').map(({ textContent }) => textContent),
      ['acme-large', 'acme-small (recommended)'],
    )
    assert.equal(field('Model').value, 'acme-small')
    write('Model', 'acme-large')
    assert.deepEqual(chosen, ['acme-large'])
  })

  test('a single found model is counted in the singular', () => {
    renderModels({ finding: findingOf({}, { models: [{ id: 'acme-small', recommended: true }] }) })
    assert.ok(isShown('Acme: 1 model'))
  })

  test('the name and the ids of found models that look like HTML are shown unchanged, as text', () => {
    const odd = '<img src=x onerror=alert(1)>'
    renderModels({
      finding: findingOf(
        { model: odd, ok: false, error: `${odd} is broken` },
        { name: odd, models: [{ id: odd, recommended: false }] },
      ),
    })
    for (const words of [`${odd}: 1 model`, odd, `${odd} is broken`]) assert.ok(isShown(words), words)
    assert.ok(document.querySelector('img') === null)
  })
})

describe('the test of a found model', () => {
  test('the test of a found model shows the response time, or the reason of the failure and what can be done', () => {
    const { change } = renderModels()
    assert.ok(isShown('Answered in 1.5 s'))
    assert.ok(!isShown('No usable response'))
    assert.ok(!isShown(/^Choose another model/))
    change({ finding: findingOf({ ok: false, latencyMs: null, error: 'Out of credit.' }) })
    assert.ok(isShown('No usable response'))
    assert.ok(isShown('Out of credit.'))
    assert.ok(isShown(/^Choose another model, or connect it/))
    assert.ok(!isShown(/Answered in/))
  })

  test('while a model is tested, no earlier test result is shown', () => {
    renderModels({ isTrying: true, finding: findingOf({ ok: false, error: 'Out of credit.' }) })
    assert.ok(isShown('Testing'))
    assert.ok(!isShown('Out of credit.'))
    assert.ok(!isShown('No usable response'))
  })

  test('the test result of one model is not shown for another model that is chosen', () => {
    const { change } = renderModels()
    change({ model: 'acme-large' })
    assert.equal(field('Model').value, 'acme-large')
    assert.ok(!isShown(/Answered in/))
  })
})

describe('the name of a connection to found models', () => {
  test('a model connection is named after the provider by default, and a typed name stays when another model is tested', () => {
    const { change } = renderModels()
    assert.equal(field('Name').value, 'Acme')
    write('Name', 'Ours')
    change({ isTrying: true, model: 'acme-large' })
    assert.equal(field('Name').value, 'Ours')
  })

  test('a refused name of a model connection is explained at its field, and any other refusal in an alert with the request id', () => {
    const { change } = renderModels({ saveFailure: refusal('label: is taken') })
    assert.ok(isShown('Is taken.'))
    assert.equal(field('Name').getAttribute('aria-invalid'), 'true')
    assert.ok(!isThere('alert'))
    change({ saveFailure: refusal('Only admins connect models.', 'forbidden') })
    assert.match(screen.getByRole('alert').textContent ?? '', /Not saved.*Only admins.*req_test/)
    assert.ok(document.activeElement?.role === 'alert')
    assert.equal(field('Name').getAttribute('aria-invalid'), 'false')
    change({ saveFailure: null })
    assert.ok(!isThere('alert'))
  })

  test('a new model connection is used for new builds unless the person unchecks that', () => {
    renderModels()
    assert.equal(field('Use for new builds').checked, true)
  })
})
