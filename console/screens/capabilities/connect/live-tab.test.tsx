import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { field, isShown, Refusal, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { ConnectServices } from './live-tab.tsx'

const CONNECT_PATH = '/projects/prj_1/capabilities/connect'
const projectAt = (url: string | null) => ({ id: 'prj_1', name: 'Notes', url })
const connectCapability = (providers: object[], flags: object = {}) => ({
  key: 'connect',
  enabled: true,
  provision: { state: 'idle', error: null },
  resource: null,
  alsoOff: [],
  unchecked: [],
  settings: { providers },
  ...flags,
})

/** Serves the API of the page. Returns an array of the request bodies of all saves. */
function serveServices(providers: object[], { url = 'https://notes.test', flags = {} } = {}) {
  const saved: unknown[] = []
  serve({
    [`GET ${CONNECT_PATH}`]: () => connectCapability(providers, flags),
    'GET /projects/prj_1': () => projectAt(url),
    'GET /projects/prj_1/capabilities': () => [],
    [`PUT ${CONNECT_PATH}`]: ({ body }: { body: unknown }) => {
      saved.push(body)
      return connectCapability(providers, flags)
    },
  })
  return saved
}

describe('the external services of an app', () => {
  test('an external service shows its OAuth redirect address and whether app users can connect it', async () => {
    const flags = { hasGithubClientSecret: true, hasSlackClientSecret: false }
    serveServices([{ id: 'github', kind: 'oauth' }, { id: 'slack' }, { id: 'crm', kind: 'apiKey' }], {
      flags,
    })
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('https://notes.test/_app/connect/github/callback')))
    for (const line of [
      'ready to be connected',
      'no client secret: people cannot connect it',
      'people paste their own key',
    ])
      assert.ok(isShown(line), line)
    assert.ok(!isShown('https://notes.test/_app/connect/crm/callback'))
  })

  test('adding an external service saves its client id and secret and keeps the other services', async () => {
    const saved = serveServices([{ id: 'slack', clientId: 'old' }])
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('slack')))
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'github' } })
    fireEvent.change(screen.getByLabelText('Client id'), { target: { value: ' Iv1.1 ' } })
    assert.ok(
      isShown('https://notes.test/_app/connect/github/callback'),
      'the service asks for it before it gives a secret',
    )
    const button = screen.getByRole('button', { name: 'Save' })
    assert.equal(button.getAttribute('aria-description'), 'Fill in “Client secret” first.')
    fireEvent.change(screen.getByLabelText('Client secret'), { target: { value: 'shh' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => assert.equal(saved.length, 1))
    assert.deepEqual(saved[0], {
      enabled: true,
      settings: {
        providers: [
          { id: 'slack', clientId: 'old' },
          { id: 'github', kind: 'oauth', clientId: 'Iv1.1' },
        ],
      },
      secrets: { githubClientSecret: 'shh' },
    })
    await waitFor(() => assert.equal(screen.getByLabelText<HTMLInputElement>('Client secret').value, ''))
  })

  test('a new secret for an external service with custom OAuth addresses keeps those addresses', async () => {
    const club = { id: 'club', clientId: 'c1', tokenUrl: 'https://club.test/token' }
    const saved = serveServices([club, { id: 'crm', kind: 'apiKey' }])
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('crm')))
    const choices = [...screen.getByLabelText<HTMLSelectElement>('Service').options].map(({ value }) => value)
    assert.deepEqual(choices.slice(-2), ['spotify', 'club'])
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'club' } })
    assert.equal(screen.getByLabelText<HTMLInputElement>('Client id').value, 'c1')
    fireEvent.change(screen.getByLabelText('Client secret'), { target: { value: 'shh' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      assert.deepEqual(saved, [
        {
          enabled: true,
          settings: {
            providers: [
              { ...club, kind: 'oauth' },
              { id: 'crm', kind: 'apiKey' },
            ],
          },
          secrets: { clubClientSecret: 'shh' },
        },
      ]),
    )
  })

  test('a secret typed for an external service is saved for no other service, and reappears when its service is chosen again', async () => {
    const saved = serveServices([
      { id: 'github', clientId: 'g1' },
      { id: 'slack', clientId: 's1' },
    ])
    show(<ConnectServices projectId="prj_1" />)
    await screen.findByLabelText('Service')
    write('Service', 'github')
    write('Client secret', 'of github')
    write('Service', 'slack')
    assert.equal(field('Client secret').value, '')
    write('Client secret', 'of slack')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => assert.equal(field('Client secret').value, ''))
    assert.deepEqual(
      saved.map((body) => (body as { secrets: object }).secrets),
      [{ slackClientSecret: 'of slack' }],
    )
    write('Service', 'github')
    assert.equal(field('Client secret').value, 'of github')
  })

  test('removing an external service asks for confirmation and deletes its secret', async () => {
    const saved = serveServices([{ id: 'slack' }, { id: 'crm', kind: 'apiKey' }])
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('slack')))
    fireEvent.click(screen.getByRole('button', { name: 'Remove the service slack' }))
    assert.ok(isShown(/the app can no longer use the accounts that people connected there/))
    await untilSent()
    assert.deepEqual(saved, [])
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      assert.deepEqual(saved, [
        {
          enabled: true,
          settings: { providers: [{ id: 'crm', kind: 'apiKey' }] },
          secrets: { slackClientSecret: null },
        },
      ]),
    )
  })

  test('an external service of an app that was never shipped has no redirect address, and a refused save shows the reason', async () => {
    serve({
      [`GET ${CONNECT_PATH}`]: () => connectCapability([{ id: 'github' }]),
      'GET /projects/prj_1': () => projectAt(null),
      'GET /projects/prj_1/capabilities': () => [],
      [`PUT ${CONNECT_PATH}`]: () => new Refusal(400, 'invalid_request', 'settings.providers: has too many'),
    })
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship the project once to see the redirect address here.')))
    fireEvent.change(screen.getByLabelText('Client id'), { target: { value: 'x' } })
    fireEvent.change(screen.getByLabelText('Client secret'), { target: { value: 'y' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => assert.ok(isShown('settings.providers: has too many')))
  })

  test('the page of an app without external services says that none is set up', async () => {
    serveServices([])
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('No service is set up yet')))
  })

  test('the form of an external service has an unsaved client id again after a reload, and never stores the client secret', async () => {
    serveServices([])
    show(<ConnectServices projectId="prj_1" />)
    await screen.findByLabelText('Client id')
    write('Service', 'slack')
    write('Client id', '12.34')
    write('Client secret', 'hunter2')
    assert.ok(!JSON.stringify(Object.entries(localStorage)).includes('hunter2'))
    cleanup()
    const saved = serveServices([])
    show(<ConnectServices projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Your unsent text is back.')))
    const texts = ['Service', 'Client id', 'Client secret'].map((label) => field(label).value)
    assert.deepEqual(texts, ['slack', '12.34', ''])
    write('Client secret', 'hunter2')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => assert.equal(saved.length, 1))
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})
