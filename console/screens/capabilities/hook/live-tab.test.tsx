import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { HookEndpoints } from './live-tab.tsx'

const HOOK_PATH = '/projects/prj_1/capabilities/hook'

function renderHookEndpoints(endpoints: object, answer?: () => unknown) {
  const hook = {
    key: 'hook',
    title: 'Incoming webhooks',
    enabled: true,
    settings: { endpoints },
    alsoOff: [],
    unchecked: [],
  }
  const calls = serve({
    [`GET ${HOOK_PATH}`]: () => ({ ...hook, hasPaySecret: true, provision: { state: 'idle' } }),
    [`PUT ${HOOK_PATH}`]: answer ?? (() => ({ ...hook, provision: { state: 'idle' } })),
    'GET /projects/prj_1': () => ({ id: 'prj_1', url: 'https://shop.example.test' }),
    'GET /projects/prj_1/capabilities': () => [],
  })
  show(<HookEndpoints projectId="prj_1" />)
  return () => calls[`PUT ${HOOK_PATH}`]?.map(({ body }) => body)
}

describe('the webhook endpoints of an app', () => {
  test('the webhook endpoints of an app are listed with their addresses and whether they accept requests', async () => {
    renderHookEndpoints({ pay: {}, crm: { scheme: 'hmac' } })
    await waitFor(() => assert.ok(isShown('pay')))
    assert.ok(isShown('https://shop.example.test/_app/hook/pay'))
    assert.ok(isShown('signed as the app declares · secret saved'))
    assert.ok(isShown('hmac · no secret: every message is refused'))
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View the records' })
    assert.equal(link.pathname + link.search, '/projects/prj_1/capabilities/data?tab=live')
  })

  test('adding a webhook endpoint sends its secret and keeps the other endpoints', async () => {
    const sent = renderHookEndpoints({ crm: { scheme: 'hmac', header: 'X-Sig' } })
    await waitFor(() => assert.ok(isShown('crm')))
    write('Name', ' pay ')
    assert.ok(
      isShown('https://shop.example.test/_app/hook/pay'),
      'the sender asks for it before there is a secret',
    )
    write('How the sender signs', 'stripe')
    write('Secret', 'whsec_1')
    press('Add')
    await waitFor(() =>
      assert.deepEqual(sent(), [
        {
          enabled: true,
          settings: { endpoints: { crm: { scheme: 'hmac', header: 'X-Sig' }, pay: { scheme: 'stripe' } } },
          secrets: { paySecret: 'whsec_1' },
        },
      ]),
    )
  })

  test('a name that is typed while the previous webhook endpoint is being added stays in its field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = renderHookEndpoints({ crm: {} }, () => promise)
    await waitFor(() => assert.ok(isShown('crm')))
    write('Name', 'pay')
    write('Secret', 'whsec_1')
    press('Add')
    await waitFor(() => assert.equal(sent()?.length, 1))
    write('Name', 'shop')
    resolve({ key: 'hook', settings: {}, provision: { state: 'idle' }, alsoOff: [], unchecked: [] })
    await waitFor(() => assert.equal(field('Secret').value, ''))
    assert.equal(field('Name').value, 'shop')
  })

  test('a new secret for a webhook endpoint keeps its other settings', async () => {
    const sent = renderHookEndpoints({ crm: { scheme: 'hmac', header: 'X-Sig' } })
    await waitFor(() => assert.ok(isShown('crm')))
    write('Name', 'crm')
    write('Secret', 'another')
    press('Add')
    await waitFor(() =>
      assert.deepEqual(sent(), [
        {
          enabled: true,
          settings: { endpoints: { crm: { scheme: 'hmac', header: 'X-Sig' } } },
          secrets: { crmSecret: 'another' },
        },
      ]),
    )
  })

  test('removing a webhook endpoint asks for confirmation and deletes its secret', async () => {
    const sent = renderHookEndpoints({ pay: {}, crm: { scheme: 'hmac' } })
    await waitFor(() => assert.ok(isShown('pay')))
    press('Remove the endpoint pay')
    assert.ok(isShown(/every message to its address is refused/))
    await untilSent()
    assert.deepEqual(sent(), [])
    press('Remove')
    await waitFor(() =>
      assert.deepEqual(sent(), [
        { enabled: true, settings: { endpoints: { crm: { scheme: 'hmac' } } }, secrets: { paySecret: null } },
      ]),
    )
    await waitFor(() => assert.ok(!isShown('Remove the endpoint pay?')))
  })

  test('a refused webhook endpoint shows the reason and keeps the typed name', async () => {
    renderHookEndpoints(
      {},
      () => new Refusal(400, 'invalid_request', 'settings.endpoints: must begin with a small letter'),
    )
    await waitFor(() => assert.ok(isShown('No endpoint yet')))
    write('Name', 'Pay')
    press('Add')
    await assertAlert(/settings\.endpoints: must begin with a small letter/)
    assert.equal(document.querySelector<HTMLInputElement>('form input')?.value, 'Pay')
  })

  test('the form of a webhook endpoint has unsaved input again after a reload, but the secret was never stored', async () => {
    renderHookEndpoints({ crm: {} })
    await waitFor(() => assert.ok(isShown('crm')))
    write('Name', 'pay')
    write('How the sender signs', 'stripe')
    write('Secret', 'whsec_hunter2')
    assert.ok(!JSON.stringify(Object.entries(localStorage)).includes('hunter2'))
    cleanup()
    const sent = renderHookEndpoints({ crm: {} })
    await waitFor(() => assert.ok(isShown('Your unsent text is back.')))
    const texts = ['Name', 'How the sender signs', 'Secret'].map((label) => field(label).value)
    assert.deepEqual(texts, ['pay', 'stripe', ''])
    press('Add')
    await waitFor(() => assert.equal(sent()?.length, 1))
    await waitFor(() => assert.equal(localStorage.length, 0))
  })

  test('the draft of a webhook endpoint is removed when the endpoint is added after the user has left the form', async () => {
    const answer = Promise.withResolvers<unknown>()
    const sent = renderHookEndpoints({ crm: {} }, () => answer.promise)
    await waitFor(() => assert.ok(isShown('crm')))
    write('Name', 'pay')
    press('Add')
    await waitFor(() => assert.equal(sent()?.length, 1))
    cleanup()
    answer.resolve({ key: 'hook', alsoOff: [], unchecked: [], settings: {}, provision: { state: 'idle' } })
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})
