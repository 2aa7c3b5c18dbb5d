import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { serveHeld } from '../../../testing/held.ts'
import { type ServiceSettings, ServiceForm } from './service-form.tsx'

const READ = 'GET /projects/prj_1/capabilities/connect'
const SAVE = 'PUT /projects/prj_1/capabilities/connect'
const stored = (...providers: object[]) => ({
  key: 'connect',
  title: 'Accounts elsewhere',
  enabled: true,
  settings: { providers },
  provision: { state: 'idle', error: null },
  alsoOff: [],
  unchecked: [],
})
const reads = (...providers: object[]) => ({
  [READ]: () => stored(...providers),
  'GET /projects/prj_1/capabilities': () => [],
})

function showServiceForm(services: ServiceSettings[] = [], appUrl: string | null = 'https://notes.test') {
  const part = (shown: ServiceSettings[]) => (
    <ServiceForm projectId="prj_1" services={shown} appUrl={appUrl} />
  )
  const { rerender } = show(part(services))
  return { change: (next: ServiceSettings[]) => rerender(part(next)) }
}

function renderServiceForm(
  services: ServiceSettings[] = [],
  save: () => unknown = () => stored(...services),
) {
  const calls = serve({ ...reads(...services), [SAVE]: save })
  return { ...showServiceForm(services), bodies: () => sent(calls, SAVE) }
}
const fill = (id: string, clientId: string, secret: string) => {
  write('Service', id)
  write('Client id', clientId)
  write('Client secret', secret)
}

describe('the form of an external service', () => {
  test('the save button of an external service names the first missing input, and blanks count as missing', async () => {
    const { bodies } = renderServiceForm()
    for (const [clientId, secret, missing] of [
      ['', '', 'Client id'],
      ['  ', 'shh', 'Client id'],
      ['12', '', 'Client secret'],
    ] as const) {
      write('Client id', clientId)
      write('Client secret', secret)
      assert.equal(button('Save').getAttribute('aria-description'), `Fill in “${missing}” first.`)
      press('Save')
    }
    write('Client secret', 'shh')
    assert.equal(button('Save').getAttribute('aria-description'), null)
    await untilSent()
    assert.deepEqual(bodies(), [])
  })

  test('external services that the app defines are offered after the known ones, except those without a client id', () => {
    renderServiceForm([{ id: 'club', clientId: 'c1' }, { id: 'crm', kind: 'apiKey' }, { id: 'github' }])
    const ids = [...field('Service').querySelectorAll('option')].map(({ value }) => value)
    assert.equal(ids.filter((id) => id === 'github').length, 1)
    assert.equal(ids.at(-1), 'club')
    assert.ok(!ids.includes('crm'))
    write('Service', 'club')
    assert.equal(field('Client id').value, 'c1')
    assert.ok(isShown('https://notes.test/_app/connect/club/callback'))
  })

  test('an external service named like an inherited object property is not preselected', () => {
    renderServiceForm([{ id: 'constructor', clientId: 'c1' }])
    assert.equal(field('Service').value, field('Service').querySelector('option')?.value)
    assert.notEqual(field('Service').value, 'constructor')
  })

  test('when the chosen external service is removed meanwhile, the form shows another one without the removed client id', () => {
    const { change } = renderServiceForm([{ id: 'club', clientId: 'c1' }])
    write('Service', 'club')
    change([])
    assert.notEqual(field('Service').value, 'club')
    assert.equal(field('Client id').value, '')
  })

  test('a client id that another member saves during an edit is shown beside the typed client id', async () => {
    const { change } = renderServiceForm([{ id: 'slack', clientId: 'old' }])
    write('Service', 'slack')
    write('Client id', 'mine')
    change([{ id: 'slack', clientId: 'theirs' }])
    await assertAlert(/Slack.*theirs/)
    assert.equal(field('Client id').value, 'mine')
  })
})

describe('saving an external service', () => {
  test('saving an external service keeps the services that another member added after the page was read', async () => {
    const calls = serve({
      ...reads({ id: 'club', clientId: 'c1' }, { id: 'github', clientId: 'old', scopes: ['repo'] }),
      [SAVE]: () => stored(),
    })
    showServiceForm()
    fill('github', ' Iv1 ', 'shh')
    press('Save')
    await waitFor(() => assert.equal(field('Client secret').value, ''))
    assert.deepEqual(sent(calls, SAVE), [
      {
        enabled: true,
        settings: {
          providers: [
            { id: 'club', clientId: 'c1' },
            { id: 'github', clientId: 'Iv1', scopes: ['repo'], kind: 'oauth' },
          ],
        },
        secrets: { githubClientSecret: 'shh' },
      },
    ])
  })

  test('a refused save of an external service shows the request id and keeps the client id and the secret', async () => {
    renderServiceForm([], () => new Refusal(400, 'invalid_request', 'settings.providers: has too many'))
    fill('github', 'Iv1', 'shh')
    press('Save')
    await assertAlert(/settings\.providers: has too many.*req_test/)
    assert.deepEqual([field('Client id').value, field('Client secret').value], ['Iv1', 'shh'])
  })

  test('pressing “Save” twice for an external service sends one request, and texts typed meanwhile for another service stay', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(SAVE, stored(), reads())
    showServiceForm()
    fill('github', 'Iv1', 'shh')
    press('Save')
    await isAsked()
    press(/Save/)
    fill('slack', '12.34', 'hush')
    await respond()
    assert.equal(bodies()?.length, 1)
    assert.deepEqual([field('Client id').value, field('Client secret').value], ['12.34', 'hush'])
    write('Service', 'github')
    assert.equal(field('Client secret').value, '')
  })

  test('a secret typed for an external service while an earlier one is being saved stays in its field', async () => {
    const { isAsked, respond } = serveHeld(SAVE, stored(), reads())
    showServiceForm()
    fill('github', 'Iv1', 'shh')
    press('Save')
    await isAsked()
    write('Client secret', 'newer')
    await respond()
    assert.equal(field('Client secret').value, 'newer')
  })

  test('after a reload an external service with a typed client id is chosen again, and no secret was stored in the browser', () => {
    renderServiceForm()
    fill('slack', '12.34', 'hunter2')
    assert.doesNotMatch(JSON.stringify(Object.entries(localStorage)), /hunter2/)
    cleanup()
    showServiceForm()
    assert.ok(isShown('Your unsent text is back.'))
    assert.deepEqual(
      ['Service', 'Client id', 'Client secret'].map((label) => field(label).value),
      ['slack', '12.34', ''],
    )
  })

  test('before the app was shipped, the form of an external service says when the redirect address will be known', () => {
    serve(reads())
    showServiceForm([], null)
    assert.ok(isShown(/^The app has its address once it was shipped\./))
    assert.equal(screen.getByRole('link').getAttribute('href'), '/projects/prj_1/ship')
    assert.ok(!isThere('button', /Copy/))
    assert.ok(screen.queryByText(/_app\/connect/) === null)
  })
})
