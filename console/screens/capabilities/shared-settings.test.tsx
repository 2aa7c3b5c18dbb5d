import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { ConnectServices } from './connect/live-tab.tsx'
import { HookEndpoints } from './hook/live-tab.tsx'
import { MeterUsage } from './meter/live-tab.tsx'

type Settings = Record<string, unknown>

/** A fake of the service with one capability, which another member can change at any time. */
function service(key: 'connect' | 'hook' | 'meter', settings: Settings) {
  const capability = {
    key,
    title: key,
    enabled: true,
    provision: { state: 'idle', error: null },
    resource: null,
    settings,
    alsoOff: [],
    unchecked: [],
  }
  const at = `/projects/prj_1/capabilities/${key}`
  const failing = new Set<string>()
  const project = () =>
    failing.has('project')
      ? new Refusal(400, 'invalid_request', 'The project was not read.')
      : { id: 'prj_1', name: 'Shop', url: 'https://shop.test' }
  const limit = { per: 'app', window: 'day', windowStart: null, windowEnd: null, spent: 0, people: 0 }
  const calls = serve({
    [`GET ${at}`]: () => structuredClone(capability),
    [`PUT ${at}`]: ({ body }) => {
      const { enabled, settings: changed } = body as { enabled: boolean; settings: Settings }
      Object.assign(capability, { enabled, settings: { ...capability.settings, ...changed } })
      return structuredClone(capability)
    },
    'GET /projects/prj_1': project,
    'GET /projects/prj_1/capabilities': () => [],
    [`GET ${at}/usage`]: () => ({ limits: [{ ...limit, key: 'exports', limit: 10 }] }),
  })
  return { capability, failing, saved: () => sent(calls, `PUT ${at}`) }
}

const confirm = (name: string) =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }))

/** Each page that changes one entry of a setting that holds several entries. */
const PAGES = [
  {
    page: 'the services of “connect”',
    key: 'connect',
    Page: ConnectServices,
    before: { providers: [{ id: 'slack', clientId: 's1' }] },
    meanwhile: { providers: [{ id: 'slack', clientId: 's1' }, { id: 'crm' }] },
    after: {
      providers: [
        { id: 'slack', clientId: 's1' },
        { id: 'crm' },
        { id: 'github', kind: 'oauth', clientId: 'g1' },
      ],
    },
    shown: 'slack',
    add: () => {
      write('Service', 'github')
      write('Client id', 'g1')
      write('Client secret', 'shh')
      press('Save')
    },
  },
  {
    page: 'the endpoints of “hook”',
    key: 'hook',
    Page: HookEndpoints,
    before: { endpoints: { pay: { scheme: 'hmac' } } },
    meanwhile: { endpoints: { pay: { scheme: 'hmac', header: 'X-Sig' }, crm: {} } },
    after: { endpoints: { pay: { scheme: 'hmac', header: 'X-Sig' }, crm: {}, shop: {} } },
    shown: 'pay',
    add: () => {
      write('Name', 'shop')
      press('Add')
    },
  },
  {
    page: 'the limits of “meter”',
    key: 'meter',
    Page: MeterUsage,
    before: { limits: { mails: 50 } },
    meanwhile: { limits: { mails: 75, calls: 3 } },
    after: { limits: { mails: 75, calls: 3, exports: 25 } },
    shown: 'exports',
    add: () => {
      press('Change the limit of exports')
      write('Limit of exports', '25')
      press('Save')
    },
  },
] as const

/** The pages that list entries, each with a button that removes it. */
const LISTS = [
  {
    page: 'the services of “connect”',
    key: 'connect',
    Page: ConnectServices,
    before: { providers: [{ id: 'slack' }] },
    meanwhile: { providers: [{ id: 'slack' }, { id: 'crm', clientId: 'c1' }] },
    after: { providers: [{ id: 'crm', clientId: 'c1' }] },
    remove: 'Remove the service slack',
  },
  {
    page: 'the endpoints of “hook”',
    key: 'hook',
    Page: HookEndpoints,
    before: { endpoints: { pay: {} } },
    meanwhile: { endpoints: { pay: {}, crm: { scheme: 'hmac' } } },
    after: { endpoints: { crm: { scheme: 'hmac' } } },
    remove: 'Remove the endpoint pay',
  },
] as const

describe('settings of a capability that several members change at once', () => {
  for (const { page, key, Page, before, meanwhile, after, shown, add } of PAGES) {
    test(`adding to ${page} keeps what another member has saved there after the page was read`, async () => {
      const { capability, saved } = service(key, before)
      show(<Page projectId="prj_1" />)
      await screen.findByText(shown)
      if (key === 'meter') await screen.findByRole('button', { name: 'Change the limit of exports' })
      capability.settings = structuredClone(meanwhile)
      add()
      await waitFor(() => assert.equal(saved()?.length, 1))
      assert.deepEqual(capability.settings, after)
    })

    test(`adding to ${page} does not turn the capability on when another member has turned it off`, async () => {
      const { capability, saved } = service(key, before)
      show(<Page projectId="prj_1" />)
      await screen.findByText(shown)
      if (key === 'meter') await screen.findByRole('button', { name: 'Change the limit of exports' })
      capability.enabled = false
      add()
      await waitFor(() => assert.equal(saved()?.length, 1))
      assert.equal(capability.enabled, false)
    })
  }

  for (const { page, key, Page, before, meanwhile, after, remove } of LISTS) {
    test(`removing one of ${page} keeps what another member has added after the page was read`, async () => {
      const { capability, saved } = service(key, before)
      show(<Page projectId="prj_1" />)
      await screen.findByRole('button', { name: remove })
      capability.settings = structuredClone(meanwhile)
      press(remove)
      confirm('Remove')
      await waitFor(() => assert.equal(saved()?.length, 1))
      assert.deepEqual(capability.settings, after)
      await waitFor(() => assert.ok(!isThere('dialog')))
    })

    test(`removing one of ${page} does not turn on a capability that is off`, async () => {
      const { capability, saved } = service(key, before)
      capability.enabled = false
      show(<Page projectId="prj_1" />)
      await screen.findByRole('button', { name: remove })
      press(remove)
      confirm('Remove')
      await waitFor(() => assert.equal(saved()?.length, 1))
      assert.equal(capability.enabled, false)
    })

    test(`removing one of ${page} that another member has already removed shows no error`, async () => {
      const { capability } = service(key, before)
      show(<Page projectId="prj_1" />)
      await screen.findByRole('button', { name: remove })
      capability.settings = key === 'hook' ? { endpoints: {} } : { providers: [] }
      press(remove)
      confirm('Remove')
      await waitFor(() => assert.ok(!isThere('dialog')))
      await waitFor(() => assert.ok(!isThere('button', remove)))
    })

    test(`a retry shows ${page} after the project could not be read`, async () => {
      const { failing } = service(key, before)
      failing.add('project')
      show(<Page projectId="prj_1" />)
      await assertAlert(/The project was not read/)
      failing.clear()
      press('Try again')
      await screen.findByRole('button', { name: remove })
      assert.ok(!isShown('The project was not read.'))
    })
  }
})

describe('the client id of a service', () => {
  test('a client id that is saved after the user left the page is not restored as unsent text when the page opens again', async () => {
    const { capability, saved } = service('connect', { providers: [{ id: 'google', clientId: 'old' }] })
    const { unmount } = show(<ConnectServices projectId="prj_1" />)
    await screen.findByLabelText('Client id')
    write('Client id', ' new ')
    write('Client secret', 'shh')
    press('Save')
    unmount()
    await waitFor(() => assert.equal(saved()?.length, 1))
    await untilSent()
    assert.deepEqual(capability.settings, { providers: [{ id: 'google', clientId: 'new', kind: 'oauth' }] })
    show(<ConnectServices projectId="prj_1" />)
    await screen.findByLabelText('Client id')
    assert.ok(!isShown('Your unsent text is back.'))
    assert.equal(localStorage.length, 0)
  })
})
