import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
} from '../../testing/console.tsx'
import { live, project } from './live-app.test.fixture.ts'
import { ShipPage } from './ship-page.tsx'

const PATH = '/projects/prj_1'
const CLOUD = {
  connected: true,
  status: 'connected',
  profile: 'real',
  missingScopes: [],
  account: { id: 'acc', name: 'Boats Ltd', subdomain: null },
}
const READY = { ready: true, warming: [], failed: [], missing: [] }
const CONNECTIONS = 'GET /connections'
const MODELS = 'GET /connections/models'
const READINESS = `GET ${PATH}/deploy/readiness`
const SOURCE = `GET ${PATH}/source`

async function openPage(answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [`GET ${PATH}`]: () => project,
    [`GET ${PATH}/deploy`]: () => live,
    [`GET ${PATH}/capabilities`]: () => [],
    [`GET ${PATH}/versions`]: () => [],
    [`GET ${PATH}/deployments`]: () => ({ releases: [], managed: [] }),
    [`GET ${PATH}/access`]: () => ({ enabled: false }),
    [SOURCE]: () => ({ sha: live.sha, files: { 'app.json': '{}' } }),
    [CONNECTIONS]: () => ({ cloudflare: CLOUD, github: { status: 'none' } }),
    [MODELS]: () => [{ id: 'mdl_1' }],
    [READINESS]: () => ({ readiness: READY }),
    ...answers,
  })
  await showAt('/app/projects/$projectId/ship', ShipPage, `${PATH}/ship`)
  return calls
}
const panel = async () =>
  within(
    (await screen.findByRole('heading', { name: 'Before it ships' })).closest('section') ?? document.body,
  )
const lines = async () => (await panel()).getAllByRole('listitem').map((line) => line.textContent)

describe('the page that ships an app', () => {
  test('all conditions of the next deployment are listed, first those that need a person', async () => {
    await openPage({ [MODELS]: () => [] })
    await waitFor(async () =>
      assert.deepEqual(await lines(), [
        'Needs you: No model is connectedConnect a model',
        'Ready: The project is active',
        'Ready: The last build is abc1234',
        'Ready: Ships into Boats Ltd',
        'Ready: Capabilities are ready',
      ]),
    )
  })

  test('the capabilities are not checked on the ship page while no cloud account is connected', async () => {
    const calls = await openPage({
      [CONNECTIONS]: () => ({ cloudflare: { ...CLOUD, connected: false, account: null } }),
    })
    assert.equal((await lines())[0], 'Needs you: No Cloudflare account is connectedOpen connections')
    await untilSent()
    assert.deepEqual(calls[READINESS], [])
  })

  test('when a condition of the next ship cannot be loaded, the ship page shows the error, and a retry shows the condition', async () => {
    for (const [key, repaired, line] of [
      [CONNECTIONS, { cloudflare: CLOUD, github: { status: 'none' } }, 'Ready: Ships into Boats Ltd'],
      [MODELS, [{ id: 'mdl_1' }], 'Ready: A model is connected'],
    ] as const) {
      let answer: unknown = new Refusal(403, 'forbidden', `You may not read ${key}.`)
      await openPage({ [key]: () => answer })
      await assertAlert(/You may not read/)
      assert.equal((await lines()).includes(line), false)
      answer = repaired
      press('Try again')
      await waitFor(async () => assert.equal((await lines()).includes(line), true))
      assert.equal(isThere('alert'), false)
      cleanup()
      queryClient.clear()
    }
  })

  test('when the ship page cannot load the source that says who may access the records, it shows the error', async () => {
    await openPage({ [SOURCE]: () => new Refusal(403, 'forbidden', 'You may not read the source.') })
    await assertAlert(/You may not read the source/)
  })

  test('when the capabilities cannot be checked, the other conditions of the next ship are still shown', async () => {
    await openPage({ [READINESS]: () => new Refusal(403, 'forbidden', 'You may not.') })
    await assertAlert(/The capabilities could not be checked.*You may not/)
    assert.equal((await lines()).length, 4)
  })

  test('when the deployment cannot be read, the ship page shows the error without the list of conditions', async () => {
    await openPage({ [`GET ${PATH}/deploy`]: () => new Refusal(403, 'forbidden', 'You may not.') })
    await assertAlert(/You may not/)
    assert.equal(isShown('Before it ships'), false)
  })
})
