import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { domainQuery } from '../../api/project/domain.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { untilIdle } from '../../testing/held.ts'
import { NextStep } from './next-step.tsx'

const STATUS = 'GET /projects/prj_1/domain/status'
const ATTACH = 'POST /projects/prj_1/domain/attach'

const domainIn = (state: DomainStatus['state'], part: Partial<DomainStatus> = {}): DomainStatus => ({
  state,
  hostname: 'app.example.com',
  url: null,
  zone: null,
  nameServers: [],
  certificate: null,
  conflicts: [],
  message: null,
  checkedAt: null,
  ...part,
})

/** Shows the state of the domain and its next step, as the page does. `isPolled` reads the status on mount. */
function Domain({ isPolled }: { isPolled: boolean }) {
  const { data } = useQuery({ ...domainQuery('prj_1'), enabled: isPolled, refetchInterval: false })
  return (
    data && (
      <>
        <p>state {data.state}</p>
        <NextStep projectId="prj_1" domain={data} />
      </>
    )
  )
}

function renderStep(domain: DomainStatus, answers: Record<string, () => unknown> = {}, isPolled = false) {
  const calls = serve(answers)
  queryClient.setQueryData(domainQuery('prj_1').queryKey, domain)
  show(<Domain isPolled={isPolled} />)
  return {
    sent: (key: string) => calls[key]?.length,
    queries: () => calls[STATUS]?.map(({ query }) => query),
  }
}
const linkOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
const shownState = () => screen.getByText(/^state /).textContent?.replace('state ', '')
const isPressable = (name: RegExp) =>
  !(button(name) as HTMLButtonElement).disabled && button(name).getAttribute('aria-disabled') !== 'true'

describe('the next step of a domain', () => {
  test('each state of a domain shows the next step, and can be checked again while a cloud account is connected', () => {
    for (const [state, step, mayCheck] of [
      ['no_connection', 'Open connections', false],
      ['needs_reconnect', 'Open connections', false],
      ['unreachable', null, true],
      ['pending_nameservers', null, true],
      ['pending_ship', 'Open the workspace', true],
      ['pending_attach', 'Attach domain', true],
      ['provisioning', null, true],
      ['active', 'Open the app', true],
    ] as const) {
      const { unmount } = show(
        <NextStep projectId="prj_1" domain={domainIn(state, { url: 'https://app.example.com' })} />,
      )
      const shown = [...screen.queryAllByRole('link'), ...screen.queryAllByRole('button')].map(
        ({ textContent }) => textContent,
      )
      assert.deepEqual(shown.toSorted(), [step, mayCheck && 'Check again'].filter(Boolean).toSorted(), state)
      unmount()
    }
  })

  test('an app that is not live yet links to the workspace of its project, and a live domain without an address has no link', () => {
    const { unmount } = show(<NextStep projectId="prj_1" domain={domainIn('pending_ship')} />)
    assert.equal(linkOf('Open the workspace'), '/projects/prj_1')
    unmount()
    show(<NextStep projectId="prj_1" domain={domainIn('active')} />)
    assert.ok(!isShown('Open the app'))
  })
})

describe('attaching a domain', () => {
  test('attaching a domain shows the state that the service returns, and removes the button', async () => {
    const { sent } = renderStep(domainIn('pending_attach'), { [ATTACH]: () => domainIn('provisioning') })
    press('Attach domain')
    await waitFor(() => assert.equal(shownState(), 'provisioning'))
    assert.ok(!isThere('button', 'Attach domain'))
    assert.equal(sent(ATTACH), 1)
  })

  test('pressing “Attach domain” twice sends one request, and the button keeps the focus meanwhile', async () => {
    const answer = Promise.withResolvers<unknown>()
    const { sent } = renderStep(domainIn('pending_attach'), { [ATTACH]: () => answer.promise })
    act(() => button('Attach domain').focus())
    press('Attach domain')
    await waitFor(() => assert.equal(sent(ATTACH), 1))
    assert.ok(document.activeElement === button(/Attach domain/))
    press(/Attach domain/)
    answer.resolve(domainIn('active'))
    await waitFor(() => assert.equal(shownState(), 'active'))
    assert.equal(sent(ATTACH), 1)
  })

  test('a refused domain attachment takes the focus with the reason and the request id, and the next try can succeed', async () => {
    const answers = [new Refusal(409, 'conflict', 'A record is in the way.'), domainIn('active')]
    renderStep(domainIn('pending_attach'), { [ATTACH]: () => answers.shift() })
    press('Attach domain')
    await assertAlert(/The domain was not attached.*A record is in the way.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    press('Attach domain')
    await waitFor(() => assert.equal(shownState(), 'active'))
    assert.ok(!isThere('alert'))
  })

  test('after a refused domain attachment the status is read again, and a state that explains the refusal replaces the error', async () => {
    const statuses = [domainIn('pending_attach'), domainIn('pending_nameservers')]
    renderStep(
      domainIn('pending_attach'),
      { [ATTACH]: () => new Refusal(409, 'conflict', 'Not ready.'), [STATUS]: () => statuses.shift() },
      true,
    )
    await waitFor(() => assert.equal(statuses.length, 1))
    press('Attach domain')
    await waitFor(() => assert.equal(shownState(), 'pending_nameservers'))
    assert.ok(!isThere('alert'))
  })

  test('a late status from before the domain was attached does not replace the new state', async () => {
    const early = Promise.withResolvers<unknown>()
    const { sent } = renderStep(
      domainIn('pending_attach'),
      { [ATTACH]: () => domainIn('active'), [STATUS]: () => early.promise },
      true,
    )
    await waitFor(() => assert.equal(sent(STATUS), 1))
    press('Attach domain')
    await waitFor(() => assert.equal(shownState(), 'active'))
    early.resolve(domainIn('pending_attach'))
    await untilIdle()
    assert.equal(shownState(), 'active')
  })

  test('a domain check that began before the domain was attached does not replace the new state', async () => {
    const check = Promise.withResolvers<unknown>()
    const { sent } = renderStep(domainIn('pending_attach'), {
      [ATTACH]: () => domainIn('active'),
      [STATUS]: () => check.promise,
    })
    press('Check again')
    await waitFor(() => assert.equal(sent(STATUS), 1))
    press('Attach domain')
    await waitFor(() => assert.equal(sent(ATTACH), 1))
    await waitFor(() => assert.equal(shownState(), 'active'))
    check.resolve(domainIn('pending_attach'))
    await untilIdle()
    assert.equal(shownState(), 'active')
  })
})

/** Replaces the clock. Returns a function that advances the time, which also delivers the responses that wait for a timer. */
function holdClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'] })
  return async (ms: number) => {
    await untilSent()
    await act(async () => t.mock.timers.tick(ms))
    await untilSent()
  }
}

describe('checking a domain again', () => {
  test('a domain check reads the status from the cloud account and shows the state that it finds', async () => {
    const { queries } = renderStep(domainIn('unreachable'), { [STATUS]: () => domainIn('active') })
    press('Check again')
    await waitFor(() => assert.equal(shownState(), 'active'))
    assert.deepEqual(queries(), [{ fresh: '1' }])
  })

  test('a domain status that was read before a check does not replace the result of the check, whichever arrives first', async () => {
    for (const isEarlyFirst of [true, false]) {
      const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
      const [early, check] = answers
      const { sent } = renderStep(domainIn('unreachable'), { [STATUS]: () => answers.shift()?.promise }, true)
      await waitFor(() => assert.equal(sent(STATUS), 1))
      press('Check again')
      await waitFor(() => assert.equal(sent(STATUS), 2))
      const respond = [
        () => early?.resolve(domainIn('provisioning')),
        () => check?.resolve(domainIn('active')),
      ]
      for (const next of isEarlyFirst ? respond : respond.toReversed()) {
        next()
        await untilSent()
      }
      await untilIdle()
      assert.equal(shownState(), 'active')
      cleanup()
      queryClient.clear()
    }
  })

  test('after a domain check the button counts down the 30 seconds until the next check is allowed', async (t) => {
    const pass = holdClock(t)
    const { sent } = renderStep(domainIn('provisioning'), { [STATUS]: () => domainIn('provisioning') })
    press('Check again')
    await pass(1)
    assert.ok(isShown('Check again in 30 s'))
    await pass(1000)
    assert.ok(isShown('Check again in 29 s'))
    press(/Check again in/)
    fireEvent.keyDown(button(/Check again in/), { key: 'Enter' })
    await untilSent()
    assert.equal(sent(STATUS), 1)
    for (let second = 0; second < 29; second++) await pass(1000)
    assert.ok(isPressable(/^Check again$/))
    press('Check again')
    await pass(1)
    assert.equal(sent(STATUS), 2)
  })

  test('the countdown to the next domain check ends even when the computer sleeps through it', async (t) => {
    const pass = holdClock(t)
    renderStep(domainIn('provisioning'), { [STATUS]: () => domainIn('provisioning') })
    press('Check again')
    await pass(1)
    assert.ok(!isPressable(/^Check again/))
    // The timers of a sleeping computer do not run, and end once the computer wakes.
    t.mock.timers.setTime(10 * 60 * 1000)
    await pass(1000)
    assert.ok(isPressable(/^Check again$/))
  })

  test('during the countdown to the next domain check the button keeps the focus and is announced as disabled', async () => {
    renderStep(domainIn('unreachable'), { [STATUS]: () => domainIn('unreachable') })
    act(() => button('Check again').focus())
    press('Check again')
    await waitFor(() => assert.ok(button(/Check again in \d+ s/)))
    assert.ok(document.activeElement === button(/Check again in/))
    assert.equal((button(/Check again in/) as HTMLButtonElement).disabled, false)
    assert.equal(button(/Check again in/).getAttribute('aria-disabled'), 'true')
  })

  test('a failed domain check shows the request id and keeps the state, and the error is gone once a check succeeds', async (t) => {
    const pass = holdClock(t)
    const answers = [new Refusal(409, 'conflict', 'The account is busy.'), domainIn('active')]
    renderStep(domainIn('provisioning'), { [STATUS]: () => answers.shift() })
    press('Check again')
    await pass(1)
    assert.match(screen.getByRole('alert').textContent ?? '', /The account is busy.*req_test/)
    assert.equal(shownState(), 'provisioning')
    for (let second = 0; second < 31; second++) await pass(1000)
    press('Check again')
    await pass(1)
    assert.equal(shownState(), 'active')
    assert.ok(!isThere('alert'))
  })
})
