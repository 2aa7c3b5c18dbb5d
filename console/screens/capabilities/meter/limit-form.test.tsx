import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, waitFor } from '@testing-library/react'
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
import { LimitForm } from './limit-form.tsx'

const READ_METER = 'GET /projects/prj_1/capabilities/meter'
const SAVE_METER = 'PUT /projects/prj_1/capabilities/meter'
const LIMIT = 'Limit of exports'

/** The capability as the service stores it, with the limits that were changed in the console. */
const meterWith = (limits: object = {}) => ({
  key: 'meter',
  title: 'Usage limits',
  enabled: true,
  settings: { limits },
  provision: { state: 'idle', error: null },
  alsoOff: [],
  unchecked: [],
})

function showLimitForm() {
  const did: string[] = []
  show(<LimitForm projectId="prj_1" meter={{ key: 'exports', limit: 10 }} onDone={() => did.push('done')} />)
  return did
}

interface Answers {
  stored?: () => unknown
  save?: () => unknown
}

function renderLimitForm({ stored = meterWith, save = meterWith }: Answers = {}) {
  const calls = serve({
    [READ_METER]: () => stored(),
    [SAVE_METER]: () => save(),
    'GET /projects/prj_1/capabilities': () => [],
  })
  return { did: showLimitForm(), bodies: () => sent(calls, SAVE_METER) }
}
const pressEnter = () => fireEvent.submit(field(LIMIT).form as HTMLFormElement)

describe('the form that changes a usage limit', () => {
  test('the form of a usage limit opens with the present limit in its field, which has the focus and a numeric keyboard', () => {
    renderLimitForm()
    assert.equal(field(LIMIT).value, '10')
    assert.ok(document.activeElement === field(LIMIT))
    assert.equal(field(LIMIT).inputMode, 'decimal')
  })

  test('Enter saves the typed usage limit and keeps the stored limits of other meters', async () => {
    const { did, bodies } = renderLimitForm({ stored: () => meterWith({ mails: 50, exports: 7 }) })
    write(LIMIT, ' 12.5 ')
    pressEnter()
    await waitFor(() => assert.deepEqual(did, ['done']))
    assert.deepEqual(bodies(), [{ enabled: true, settings: { limits: { mails: 50, exports: 12.5 } } }])
  })

  test('a capability that was switched off meanwhile stays off when a usage limit is saved', async () => {
    const { bodies } = renderLimitForm({ stored: () => ({ ...meterWith(), enabled: false }) })
    press('Save')
    await waitFor(() =>
      assert.deepEqual(bodies(), [{ enabled: false, settings: { limits: { exports: 10 } } }]),
    )
  })

  test('a usage limit that is not a number is marked while it is typed and is not sent', async () => {
    const { bodies } = renderLimitForm()
    for (const typed of [
      '',
      ' ',
      '-1',
      '1e3',
      '1,000',
      '5 exports',
      '٣',
      '0x10',
      '.5',
      '1.',
      '9'.repeat(400),
    ]) {
      write(LIMIT, typed)
      assert.equal(field(LIMIT).getAttribute('aria-invalid'), 'true', typed)
      assert.ok(isShown(/number/i), typed)
      pressEnter()
      press('Save')
    }
    write(LIMIT, '0')
    assert.equal(field(LIMIT).getAttribute('aria-invalid'), 'false')
    await untilSent()
    assert.deepEqual(bodies(), [])
  })

  test('pressing “Save” twice, and Enter after that, saves a usage limit once', async () => {
    const {
      isAsked,
      sent: bodies,
      respond,
    } = serveHeld(SAVE_METER, meterWith(), {
      [READ_METER]: () => meterWith(),
      'GET /projects/prj_1/capabilities': () => [],
    })
    const did = showLimitForm()
    press('Save')
    await isAsked()
    assert.equal(button(/Save/).getAttribute('aria-busy'), 'true')
    press(/Save/)
    pressEnter()
    await respond()
    assert.deepEqual(did, ['done'])
    assert.equal(bodies()?.length, 1)
  })

  test('a refused usage limit keeps the form open with the reason and the request id, and the next try can succeed', async () => {
    const answers = [
      new Refusal(400, 'invalid_request', 'settings.limits.exports: is too large'),
      meterWith({ exports: 5 }),
    ]
    const { did } = renderLimitForm({ save: () => answers.shift() })
    write(LIMIT, '999999999')
    press('Save')
    await assertAlert(/is too large.*req_test/)
    assert.deepEqual(did, [])
    assert.equal(field(LIMIT).value, '999999999')
    write(LIMIT, '5')
    press('Save')
    await waitFor(() => assert.deepEqual(did, ['done']))
    assert.ok(!isThere('alert'))
  })

  test('when the stored usage limits cannot be read, nothing is overwritten, and the form shows the request id', async () => {
    const { did, bodies } = renderLimitForm({
      stored: () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    press('Save')
    await assertAlert(/You may not.*req_test/)
    assert.deepEqual(bodies(), [])
    assert.deepEqual(did, [])
  })

  test('“Cancel” closes the form of a usage limit and sends nothing', async () => {
    const { did, bodies } = renderLimitForm()
    write(LIMIT, '5')
    button('Cancel').click()
    assert.deepEqual(did, ['done'])
    await untilSent()
    assert.deepEqual(bodies(), [])
  })
})
