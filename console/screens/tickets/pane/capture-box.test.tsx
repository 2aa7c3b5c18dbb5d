import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { openDraft } from '../../../shell/drafts.ts'
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
  signInAs,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { CaptureBox } from './capture-box.tsx'

const CAPTURE_TICKET = 'POST /projects/prj_1/tickets/capture'
const START_BUILD = 'POST /projects/prj_1/tickets/tkt_1/build/stream'
const LABEL = 'Describe a change'
const build = { state: 'idle', runId: null, outcome: null, refused: null }
const ticket = {
  id: 'tkt_1',
  projectId: 'prj_1',
  title: 'A dark theme',
  type: 'feature',
  status: 'todo',
  build,
}

function renderCaptureBox(answers: Record<string, () => unknown> = {}) {
  const captured: Ticket[] = []
  const calls = serve({
    [CAPTURE_TICKET]: () => ticket,
    'GET /projects/prj_1/tickets/tkt_1': () => ticket,
    [START_BUILD]: () => new Refusal(409, 'conflict', 'Later.'),
    ...answers,
  })
  const { unmount } = show(<CaptureBox projectId="prj_1" onCaptured={(made) => captured.push(made)} />)
  return { calls, captured, unmount }
}
const pressEnter = (part: object = {}) => fireEvent.keyDown(field(LABEL), { key: 'Enter', ...part })

describe('the box that captures a ticket', () => {
  test('Enter creates a ticket from the typed text, clears the field at once and starts a build', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, captured } = renderCaptureBox({ [CAPTURE_TICKET]: () => promise })
    write(LABEL, '  A dark theme ')
    pressEnter()
    await waitFor(() => assert.equal(field(LABEL).value, ''))
    resolve(ticket)
    await waitFor(() => assert.equal(captured.length, 1))
    await waitFor(() => assert.equal(calls[START_BUILD]?.length, 1))
    assert.deepEqual(sent(calls, CAPTURE_TICKET), [{ text: 'A dark theme' }])
  })

  test('with “Just add” a new ticket is not built, and this setting is stored for the next visit', async () => {
    const first = renderCaptureBox()
    press('Just add')
    assert.equal(button('Just add').getAttribute('aria-pressed'), 'true')
    first.unmount()
    const { calls, captured } = renderCaptureBox()
    write(LABEL, 'A dark theme')
    press('Add ticket')
    await waitFor(() => assert.equal(captured.length, 1))
    await untilSent()
    assert.deepEqual(calls[START_BUILD], [])
  })

  test('Shift+Enter, Enter of an input method, and Enter in an empty field create no ticket', async () => {
    const { calls } = renderCaptureBox()
    write(LABEL, '   ')
    pressEnter()
    write(LABEL, 'Plants')
    pressEnter({ shiftKey: true })
    pressEnter({ isComposing: true })
    await untilSent()
    assert.deepEqual(calls[CAPTURE_TICKET], [])
    assert.equal(field(LABEL).value, 'Plants')
  })

  test('the text of a refused ticket is put back into the field and stored as a draft', async () => {
    renderCaptureBox({ [CAPTURE_TICKET]: () => new Refusal(402, 'payment_required', 'No build is left.') })
    write(LABEL, 'A dark theme')
    pressEnter()
    await assertAlert(/still in the box.*No build is left.*req_test/)
    assert.equal(field(LABEL).value, 'A dark theme')
    assert.equal(openDraft('ticket', 'prj_1').read(), 'A dark theme')
  })

  test('a sentence that is refused as too long for a ticket is put back into the field in full, with the reason', async () => {
    const long = 'A dark theme. '.repeat(600).trim()
    renderCaptureBox({
      [CAPTURE_TICKET]: () =>
        new Refusal(400, 'invalid_request', 'text: Too big: expected string to have <=8000 characters'),
    })
    write(LABEL, long)
    pressEnter()
    await assertAlert(/8000 characters/)
    assert.equal(field(LABEL).value, long)
  })

  test('when a new ticket is refused after the user left the page, its text is restored at the next visit', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, unmount } = renderCaptureBox({ [CAPTURE_TICKET]: () => promise })
    write(LABEL, 'A dark theme')
    pressEnter()
    await waitFor(() => assert.equal(calls[CAPTURE_TICKET]?.length, 1))
    unmount()
    resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await waitFor(() => assert.equal(openDraft('ticket', 'prj_1').read(), 'A dark theme'))
    renderCaptureBox()
    assert.equal(field(LABEL).value, 'A dark theme')
  })

  test('the text of a refused ticket is put back into the field before newer text', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = renderCaptureBox({ [CAPTURE_TICKET]: () => promise })
    write(LABEL, 'A dark theme')
    pressEnter()
    await waitFor(() => assert.equal(calls[CAPTURE_TICKET]?.length, 1))
    write(LABEL, 'Another wish')
    resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not/)
    assert.equal(field(LABEL).value, 'A dark theme\nAnother wish')
    assert.equal(openDraft('ticket', 'prj_1').read(), 'A dark theme\nAnother wish')
  })

  test('after a page crash during the request, the text of the new ticket is put back into the field before newer text', async () => {
    const { unmount } = renderCaptureBox({ [CAPTURE_TICKET]: () => new Promise(() => {}) })
    write(LABEL, 'A dark theme')
    pressEnter()
    write(LABEL, 'Another wish')
    await untilSent()
    unmount()
    // A crashed page also loses its requests.
    queryClient.clear()
    signInAs()
    renderCaptureBox()
    assert.equal(field(LABEL).value, 'A dark theme\nAnother wish')
    assert.ok(isShown('Your unsent text is back.'))
  })

  test('the text of a new ticket that is still being sent is not in the field when the user returns to the page', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, unmount } = renderCaptureBox({ [CAPTURE_TICKET]: () => promise })
    write(LABEL, 'A dark theme')
    pressEnter()
    await waitFor(() => assert.equal(calls[CAPTURE_TICKET]?.length, 1))
    unmount()
    renderCaptureBox()
    assert.equal(field(LABEL).value, '')
    assert.equal(localStorage.length, 1)
    resolve(ticket)
    await waitFor(() => assert.equal(localStorage.length, 0))
  })

  test('a new ticket is built only if “Build now” was chosen when its sentence was sent', async () => {
    for (const { sentWith, later, builds } of [
      { sentWith: 'Just add', later: 'Build now', builds: 0 },
      { sentWith: 'Build now', later: 'Just add', builds: 1 },
    ]) {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const { calls, captured, unmount } = renderCaptureBox({ [CAPTURE_TICKET]: () => promise })
      press(sentWith)
      write(LABEL, 'A dark theme')
      pressEnter()
      await waitFor(() => assert.equal(calls[CAPTURE_TICKET]?.length, 1))
      press(later)
      resolve(ticket)
      await waitFor(() => assert.equal(captured.length, 1))
      await untilSent()
      assert.equal(calls[START_BUILD]?.length, builds, sentWith)
      unmount()
    }
  })

  test('resending a sentence after a lost response creates no second ticket, even if another sentence was sent meanwhile', async () => {
    const keys: [sentence: unknown, key: string | null][] = []
    serve({})
    const answers: Record<string, () => Response | Promise<Response>> = {
      'First wish': () => Promise.reject(new TypeError('fetch failed')),
      'Second wish': () => Response.json({ data: { ...ticket, id: 'tkt_2' } }),
    }
    const { fetch } = globalThis
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      if (!request.url.endsWith('/capture')) return fetch(input, init)
      const { text } = (await request.json()) as { text: string }
      keys.push([text, request.headers.get('Idempotency-Key')])
      return answers[text]?.() ?? Response.json({ data: ticket })
    }
    show(<CaptureBox projectId="prj_1" onCaptured={() => {}} />)
    press('Just add')
    const keysOf = (sentence: string) => keys.filter(([text]) => text === sentence).map(([, key]) => key)
    write(LABEL, 'First wish')
    pressEnter()
    write(LABEL, 'Second wish')
    pressEnter()
    await waitFor(() => assert.ok(field(LABEL).value.includes('First wish')))
    await waitFor(() => assert.equal(keysOf('Second wish').length, 1))
    answers['First wish'] = () => Response.json({ data: ticket })
    write(LABEL, 'First wish')
    pressEnter()
    await waitFor(() => assert.ok(keysOf('First wish').length >= 2))
    assert.equal(new Set(keysOf('First wish')).size, 1)
    assert.notEqual(keysOf('First wish')[0], keysOf('Second wish')[0])
  })

  test('when two tabs send the same draft of a ticket at the same time, only one ticket is created', async () => {
    const keys: (string | null)[] = []
    renderCaptureBox().unmount()
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      if (request.url.endsWith('/capture')) keys.push(request.headers.get('Idempotency-Key'))
      return fetch(input, init)
    }
    const draft = openDraft('ticket', 'prj_1')
    draft.store('A dark theme')
    const key = draft.key ?? ''
    const item = localStorage.getItem(key) ?? ''
    for (const _tab of [1, 2]) {
      // The other tab reads the draft before this tab removes it.
      localStorage.setItem(key, item)
      const { unmount } = show(<CaptureBox projectId="prj_1" onCaptured={() => {}} />)
      pressEnter()
      await untilSent()
      unmount()
    }
    await waitFor(() => assert.equal(keys.length, 2))
    assert.equal(new Set(keys).size, 1)
    // The same words, typed again after the draft was sent, become another ticket.
    show(<CaptureBox projectId="prj_1" onCaptured={() => {}} />)
    write(LABEL, 'A dark theme')
    pressEnter()
    await waitFor(() => assert.equal(keys.length, 3))
    assert.notEqual(keys[2], keys[0])
  })

  test('a draft of a ticket that another tab sends is removed from the field, but different text stays', async () => {
    renderCaptureBox()
    for (const [typed, left] of [
      ['A dark theme', ''],
      ['A dark theme, please', 'A dark theme, please'],
    ] as const) {
      write(LABEL, typed)
      const other = openDraft('ticket-sending', 'prj_1')
      other.store('A dark theme')
      await act(async () => dispatchEvent(new StorageEvent('storage', { key: other.key })))
      assert.equal(field(LABEL).value, left)
      other.store('')
    }
  })

  test('a draft of a ticket that another tab is sending is restored to the field only after that tab has crashed', async () => {
    const taken: string[] = []
    const locks = {
      request: async (name: string, options: LockOptions, run: (lock: object | null) => unknown) => {
        taken.push(`${options.mode ?? 'exclusive'} ${name.split('.').at(-2)}`)
        await setImmediate()
        return run(options.ifAvailable === true && isSending ? null : {})
      },
    }
    let isSending = true
    Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
    try {
      openDraft('ticket-sending', 'prj_1').store('A dark theme')
      const { unmount } = renderCaptureBox()
      await waitFor(() => assert.deepEqual(taken, ['exclusive ticket-sending']))
      await untilSent()
      assert.equal(field(LABEL).value, '')
      unmount()
      isSending = false
      const { captured } = renderCaptureBox()
      await waitFor(() => assert.equal(field(LABEL).value, 'A dark theme'))
      assert.ok(isShown('Your unsent text is back.'))
      pressEnter()
      await waitFor(() => assert.equal(captured.length, 1))
      assert.deepEqual(taken.slice(2), ['shared ticket-sending'])
    } finally {
      Reflect.deleteProperty(navigator, 'locks')
    }
  })

  test('when a ticket cannot be created because no model is connected, an alert links to the model settings', async () => {
    renderCaptureBox({ [CAPTURE_TICKET]: () => new Refusal(409, 'model_required', 'No model is connected.') })
    write(LABEL, 'A dark theme')
    pressEnter()
    await assertAlert(/Connect a model first/)
    assert.ok(isThere('link', 'Models'))
  })

  test('unsent text for a new ticket is restored to the field at the next visit', () => {
    const { unmount } = renderCaptureBox()
    write(LABEL, 'Half a sen')
    unmount()
    renderCaptureBox()
    assert.equal(field(LABEL).value, 'Half a sen')
  })

  test('the key C focuses the field for a new ticket', () => {
    renderCaptureBox()
    fireEvent.keyDown(document.body, { key: 'c' })
    assert.ok(document.activeElement === screen.getByLabelText(LABEL))
  })
})
