import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import {
  button,
  field,
  press,
  Refusal,
  serve,
  show,
  shownOption,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { SettingsForm } from './settings-form.tsx'

const SETTINGS = {
  methods: { password: true, emailCode: false, passkey: false, oauth: [] },
  sessionDays: 30,
  openSignup: true,
  passwordMin: 10,
  redirectUris: [],
}

/** Shows the settings of a capability. Returns a function that returns the saved settings. With `refusal` the service refuses the save. */
function renderForm(key: keyof typeof CAPABILITIES, settings: object, refusal?: string) {
  const at = `PUT /projects/prj_1/capabilities/${key}`
  const capability = { key, enabled: true, settings } as unknown as Capability
  const calls = serve({
    [`GET /projects/prj_1/capabilities/${key}`]: () => capability,
    [at]: () =>
      refusal === undefined
        ? { ...capability, alsoOff: [], unchecked: [] }
        : new Refusal(400, 'invalid_request', refusal),
    'GET /projects/prj_1/capabilities': () => [],
  })
  show(<SettingsForm projectId="prj_1" capability={capability} metadata={CAPABILITIES[key]} />)
  return () => calls[at]?.map(({ body }) => body)
}
const renderAuthForm = () => renderForm('auth', SETTINGS)

describe('the settings of the auth capability', () => {
  test('an attempt to save an invalid setting focuses the field of that setting', async () => {
    const sent = renderAuthForm()
    write('Days a session lasts', 'a year')
    button('Save settings').focus()
    press('Save settings')
    assert.ok(document.activeElement === field('Days a session lasts'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('a setting that the service refuses takes the focus', async () => {
    renderForm('auth', SETTINGS, 'settings.sessionDays: is not accepted')
    write('Days a session lasts', '31')
    button('Save settings').focus()
    press('Save settings')
    await waitFor(() => assert.ok(document.activeElement === field('Days a session lasts')))
  })

  test('the settings form of the auth capability saves sign-in methods and a new OAuth provider with its client secret', async () => {
    const sent = renderAuthForm()
    field('Code by email').click()
    press('Other providers: add one')
    write('Provider', 'club')
    write('Client id', 'our-app')
    write('Scopes', 'openid, email')
    write('Client secret of club', 'a secret')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const oauth = [{ id: 'club', clientId: 'our-app', scopes: ['openid', 'email'] }]
    assert.deepEqual(sent()?.[0], {
      enabled: true,
      settings: { methods: { ...SETTINGS.methods, emailCode: true, oauth } },
      secrets: { clubClientSecret: 'a secret' },
    })
  })

  test('a sign-in provider that is added after another was removed starts with empty fields', async () => {
    const sent = renderAuthForm()
    press('Other providers: add one')
    write('Provider', 'first')
    press('Other providers: remove 1')
    press('Other providers: add one')
    assert.equal(field('Provider').value, '')
    write('Provider', 'second')
    write('Client id', 'second-app')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const [{ settings }] = sent() as [{ settings: { methods: { oauth: object[] } } }]
    assert.deepEqual(settings.methods.oauth, [{ id: 'second', clientId: 'second-app' }])
  })
})

describe('the client secrets of sign-in providers', () => {
  const secretFields = () => screen.queryAllByLabelText(/^Client secret of/).length
  const writeProvider = (n: number, id: string) => {
    const group = within(screen.getByRole('group', { name: `Other providers: ${n}` }))
    fireEvent.change(group.getByLabelText('Provider'), { target: { value: id } })
  }

  test('two sign-in providers with the same name share one secret field, and get separate fields once their names differ', () => {
    renderAuthForm()
    press('Other providers: add one')
    writeProvider(1, 'club')
    press('Other providers: add one')
    for (const [id, count] of [
      ['club', 1],
      ['clubs', 2],
      ['club', 1],
      ['', 1],
    ] as const) {
      writeProvider(2, id)
      assert.equal(secretFields(), count, `the second provider is “${id}”`)
    }
  })

  test('the secret that was typed for a sign-in provider is not sent after the provider was removed', async () => {
    const sent = renderAuthForm()
    press('Other providers: add one')
    writeProvider(1, 'club')
    write('Client secret of club', 'a secret')
    press('Other providers: remove 1')
    fireEvent.click(field('Code by email'))
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.ok(!JSON.stringify(sent()).includes('a secret'))
  })
})

describe('settings with choices', () => {
  test('a setting with options shows them as readable words and saves the value from its schema', async () => {
    const sent = renderForm('guard', { mode: 'managed' })
    const names = [...(field('What people see') as unknown as HTMLSelectElement).options].map(
      ({ text }) => text,
    )
    assert.deepEqual(names, ['Managed', 'Non interactive', 'Invisible'])
    write('What people see', 'non-interactive')
    press('Save settings')
    await waitFor(() => assert.deepEqual(sent(), [{ enabled: true, settings: { mode: 'non-interactive' } }]))
  })
})

describe('settings with an optional choice', () => {
  const shownChoice = (label: string) => shownOption(field(label) as unknown as HTMLSelectElement) ?? ''

  test('an optional setting with options is shown as not set, can be set to its first option, and can be unset again', async () => {
    const sent = renderForm('hook', { endpoints: { pos: { collection: 'tills' } }, keepDays: 30 })
    assert.equal(shownChoice('Scheme'), 'Not set')
    write('Scheme', 'standard')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    write('Scheme', '')
    write('Collection', 'cashiers')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 2))
    assert.deepEqual(
      sent()?.map((body) => (body as { settings: object }).settings),
      [
        { endpoints: { pos: { scheme: 'standard', collection: 'tills' } } },
        { endpoints: { pos: { collection: 'cashiers' } } },
      ],
    )
  })
})

describe('a setting that the service refuses', () => {
  const LIMITS = [
    { name: 'posts', limit: 5, period: 60, per: 'ip' },
    { name: 'comments', limit: 90_000, period: 60, per: 'ip' },
  ]
  test('the error of a number in a list setting names its entry and field, and a number above its maximum is sent as a number', async () => {
    const sent = renderForm('guard', { mode: 'managed', limits: LIMITS })
    const second = within(screen.getByRole('group', { name: 'Limits: 2' }))
    fireEvent.change(second.getByLabelText('Times'), { target: { value: '100001' } })
    press('Save settings')
    await waitFor(() =>
      assert.deepEqual(sent(), [
        { enabled: true, settings: { limits: [LIMITS[0], { ...LIMITS[1], limit: 100_001 }] } },
      ]),
    )
    cleanup()
    renderForm('guard', { mode: 'managed', limits: LIMITS }, 'settings.limits.1.limit: must be at most 50000')
    write('What people see', 'invisible')
    press('Save settings')
    assert.equal((await screen.findByRole('alert')).textContent, '2, Times: Must be at most 50000.')
  })

  test('the error of a map entry, or of a setting within a group, names each part of its path', async () => {
    renderForm('meter', { limits: { letters: 3 } }, 'settings.limits.letters: must be at least 0')
    write('Limit', '4')
    press('Save settings')
    assert.equal((await screen.findByRole('alert')).textContent, 'letters: Must be at least 0.')
    cleanup()
    renderForm('auth', SETTINGS, 'settings.methods.oauth.0.clientId: must not be empty')
    field('Code by email').click()
    press('Save settings')
    const alert = await screen.findByRole('alert')
    assert.equal(alert.textContent, 'Other providers, 1, Client id: Must not be empty.')
  })
})

describe('settings that are a map, or whose fields depend on a choice', () => {
  test('usage limits can be changed, added and removed by the name of their meter', async () => {
    const sent = renderForm('meter', { limits: { letters: 3, exports: 10 } })
    press('Limits: remove 2')
    write('Limit', '5')
    press('Limits: add one')
    const second = within(screen.getByRole('group', { name: 'Limits: 2' }))
    fireEvent.change(second.getByLabelText('Meter'), { target: { value: 'uploads' } })
    fireEvent.change(second.getByLabelText('Limit'), { target: { value: '7' } })
    press('Limits: add one')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.deepEqual(sent()?.[0], { enabled: true, settings: { limits: { letters: 5, uploads: 7 } } })
  })

  test('two map entries with the same name are not saved: an alert names them, and both stay until one is renamed', async () => {
    const nameOf = (n: number) =>
      within(screen.getByRole('group', { name: `Limits: ${n}` })).getByLabelText('Meter')
    const rename = (n: number, value: string) => fireEvent.change(nameOf(n), { target: { value } })
    const sent = renderForm('meter', { limits: { letters: 3, exports: 10 } })
    rename(2, 'letters')
    press('Save settings')
    const said = /^Two entries have the name letters\./
    assert.match((await screen.findByRole('alert')).textContent ?? '', said)
    await untilSent()
    assert.deepEqual(sent(), [])
    assert.deepEqual(
      screen.getAllByLabelText<HTMLInputElement>('Limit').map(({ value }) => value),
      ['3', '10'],
    )
    rename(2, 'uploads')
    assert.ok(screen.queryByRole('alert') === null)
    press('Save settings')
    await waitFor(() =>
      assert.deepEqual(sent(), [{ enabled: true, settings: { limits: { letters: 3, uploads: 10 } } }]),
    )
  })

  test('two entries of a map with the same name are restored after a reload of the page', () => {
    renderForm('meter', { limits: { letters: 3, exports: 10 } })
    const second = within(screen.getByRole('group', { name: 'Limits: 2' }))
    fireEvent.change(second.getByLabelText('Meter'), { target: { value: 'letters' } })
    cleanup()
    renderForm('meter', { limits: { letters: 3, exports: 10 } })
    const valuesOf = (label: string) =>
      screen.getAllByLabelText<HTMLInputElement>(label).map(({ value }) => value)
    assert.deepEqual(
      [valuesOf('Meter'), valuesOf('Limit')],
      [
        ['letters', 'letters'],
        ['3', '10'],
      ],
    )
  })

  test('the access setting of new assets asks for a product id only when access is for buyers', async () => {
    const sent = renderForm('assets', { defaultAccess: { kind: 'public' }, cacheSeconds: 60 })
    assert.ok(screen.queryByLabelText('Product') === null)
    write('Choose', 'product')
    write('Product', 'prod_1')
    press('Save settings')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const defaultAccess = { kind: 'product', productId: 'prod_1' }
    assert.deepEqual(sent()?.[0], { enabled: true, settings: { defaultAccess } })
  })
})
