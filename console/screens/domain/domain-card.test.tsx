import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { domainQuery } from '../../api/project/domain.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { DomainCard } from './domain-card.tsx'

const DOMAIN_PATH = '/projects/prj_1/domain'
const noDomain: DomainStatus = {
  state: 'no_domain',
  hostname: null,
  url: null,
  zone: null,
  nameServers: [],
  certificate: null,
  conflicts: [],
  message: null,
  checkedAt: null,
}
const readyToAttach: DomainStatus = { ...noDomain, state: 'pending_attach', hostname: 'app.example.com' }
const activeDomain: DomainStatus = { ...readyToAttach, state: 'active', url: 'https://app.example.com' }

/** Renders the card with the cached status, as the real page does. */
function DomainPage() {
  const { data } = useQuery({ ...domainQuery('prj_1'), enabled: false })
  return data ? <DomainCard projectId="prj_1" domain={data} /> : null
}

function renderDomainCard(before: DomainStatus, answers: Record<string, () => unknown> = {}) {
  const calls = serve(answers)
  queryClient.setQueryData(domainQuery('prj_1').queryKey, before)
  show(<DomainPage />)
  return (key: string) => calls[key]?.map(({ body }) => body)
}
const removeButton = () => button('Remove domain') as HTMLButtonElement
const openRemoval = async () => {
  press('Remove domain')
  await screen.findByRole('dialog', { name: 'Take app.example.com off the app?' })
}

describe('the host name of an app', () => {
  const SET = `POST ${DOMAIN_PATH}/onboard`

  test('a pasted URL sets its host name as the domain, and the next step is shown', async () => {
    const sent = renderDomainCard(noDomain, {
      [SET]: () => ({ ...noDomain, state: 'pending_ship', hostname: 'app.example.com' }),
    })
    write('Host name', ' HTTPS://App.Example.com/welcome?x=1 ')
    press('Set domain')
    await screen.findByText('Waiting for a live app')
    assert.deepEqual(sent(SET), [{ hostname: 'app.example.com' }])
  })

  test('an empty host name is not sent, and its field shows the reason and takes the focus', async () => {
    const sent = renderDomainCard(noDomain, { [SET]: () => readyToAttach })
    button('Set domain').focus()
    write('Host name', ' https:// ')
    press('Set domain')
    assert.ok(isShown('Enter a host name, like app.example.com.'))
    assert.ok(document.activeElement === field('Host name'))
    await untilSent()
    assert.deepEqual(sent(SET), [])
  })

  test('a host name that the service rejects stays in its field, which shows the reason and takes the focus', async () => {
    renderDomainCard(noDomain, {
      [SET]: () => new Refusal(400, 'invalid_request', 'hostname: is not a domain of the account'),
    })
    write('Host name', 'app.example.com')
    button('Set domain').focus()
    press('Set domain')
    await screen.findByText('Is not a domain of the account.')
    assert.ok(document.activeElement === field('Host name'))
    assert.equal(field('Host name').value, 'app.example.com')
    assert.ok(screen.queryByRole('alert') === null)
  })

  test('a host name that another project uses is reported in an alert, and the field keeps its value', async () => {
    renderDomainCard(noDomain, {
      [SET]: () => new Refusal(409, 'conflict', 'Another project has this name.'),
    })
    write('Host name', 'app.example.com')
    press('Set domain')
    await assertAlert(/The domain was not set.*Another project has this name/)
    assert.equal(field('Host name').value, 'app.example.com')
  })

  test('a double press on “Set domain” sends one request', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = renderDomainCard(noDomain, { [SET]: () => promise })
    write('Host name', 'app.example.com')
    press('Set domain')
    await waitFor(() => assert.equal(sent(SET)?.length, 1))
    press(/Set domain/)
    resolve(readyToAttach)
    await screen.findByText('Ready to attach')
    assert.equal(sent(SET)?.length, 1)
  })
})

describe('the domain of an app', () => {
  const CHECK = `GET ${DOMAIN_PATH}/status`
  const ATTACH = `POST ${DOMAIN_PATH}/attach`
  const REMOVE = `DELETE ${DOMAIN_PATH}`

  test('a refused domain attachment shows the error and refetches the conflicting DNS records', async () => {
    const conflicts = [{ type: 'A', content: '<b>192.0.2.1</b>' }]
    renderDomainCard(readyToAttach, {
      [ATTACH]: () => new Refusal(409, 'conflict', 'A record is in the way.'),
      [CHECK]: () => ({ ...readyToAttach, conflicts }),
    })
    // Mount the status query, because an invalidated query is refetched only while a component uses it.
    show(<DomainWatcher />)
    press('Attach domain')
    await assertAlert(/The domain was not attached.*A record is in the way/)
    await screen.findByText('<b>192.0.2.1</b>')
    assert.ok(isShown('DNS records in the way'))
  })

  test('after a failed domain check the button cannot be pressed and counts down the seconds', async () => {
    const answers = [new Refusal(409, 'conflict', 'The account is busy.'), activeDomain]
    const sent = renderDomainCard(activeDomain, { [CHECK]: () => answers.shift() })
    press('Check again')
    await assertAlert(/The account is busy/)
    assert.equal(button(/Check again in \d+ s/).getAttribute('aria-disabled'), 'true')
    press(/Check again in/)
    await untilSent()
    assert.equal(sent(CHECK)?.length, 1)
  })

  test('the name servers of a pending domain are listed, each with a copy button', () => {
    const nameServers = ['ada.ns.example.com', 'bob.ns.example.com']
    renderDomainCard({ ...readyToAttach, state: 'pending_nameservers', nameServers })
    for (const name of nameServers) assert.ok(button(`Copy ${name}`))
    assert.ok(screen.queryByRole('button', { name: 'Attach domain' }) === null)
  })

  test('the link to a live domain opens a new tab, and its page gets no opener and no referrer', () => {
    renderDomainCard(activeDomain)
    const link = screen.getByRole('link', { name: 'Open the app' })
    assert.deepEqual(
      ['href', 'target', 'rel'].map((name) => link.getAttribute(name)),
      ['https://app.example.com', '_blank', 'noopener noreferrer'],
    )
  })

  test('a domain whose cloud account must be reconnected links to the connections and has no check button', () => {
    renderDomainCard({ ...readyToAttach, state: 'needs_reconnect' })
    assert.equal(
      screen.getByRole('link', { name: 'Open connections' }).getAttribute('href'),
      '/settings/connections',
    )
    assert.ok(screen.queryByRole('button', { name: /Check again/ }) === null)
  })

  test('removing a domain requires its typed name and then shows the empty form', async () => {
    const sent = renderDomainCard(activeDomain, { [REMOVE]: () => noDomain })
    await openRemoval()
    press('Remove domain')
    await untilSent()
    assert.deepEqual(sent(REMOVE), [])
    write('Type app.example.com to confirm', 'app.example.com')
    press('Remove domain')
    await screen.findByText('No domain yet')
    assert.ok(screen.queryByRole('dialog') === null)
    assert.equal(sent(REMOVE)?.length, 1)
  })

  test('the error of a refused domain removal is gone when the dialog is opened again', async () => {
    renderDomainCard(activeDomain, { [REMOVE]: () => new Refusal(409, 'conflict', 'A ship is running.') })
    await openRemoval()
    write('Type app.example.com to confirm', 'app.example.com')
    press('Remove domain')
    await assertAlert(/A ship is running/)
    press('Cancel')
    assert.ok(!isShown('A ship is running.'))
    await openRemoval()
    assert.ok(!isShown('A ship is running.'))
    assert.equal(removeButton().disabled, true, 'the name must be typed again')
  })
})

function DomainWatcher() {
  useQuery({ ...domainQuery('prj_1'), staleTime: Infinity })
  return null
}
