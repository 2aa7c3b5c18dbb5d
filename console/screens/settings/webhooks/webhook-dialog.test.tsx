import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queryClient } from '../../../api/request/query-client.ts'
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
import { pressInDialog } from '../../../testing/dialog.ts'
import { serveHeld } from '../../../testing/held.ts'
import { WebhookDialog } from './webhook-dialog.tsx'

const CREATE_WEBHOOK = 'POST /webhooks'
const SECRET = 'whsec_only_shown_once'
const URL = 'https://example.test/hook'
const created = { id: 'whk_1', url: URL, events: ['*'], secret: SECRET }

/** Shows the dialog, and a new dialog each time that it closes. Returns how often the dialog was closed. */
async function showWebhookDialog() {
  const closed: string[] = []
  function Page() {
    const [n, setN] = useState(1)
    const close = () => {
      closed.push(`dialog ${n}`)
      setN(n + 1)
    }
    return <WebhookDialog key={n} onClose={close} />
  }
  show(<Page />)
  // The dialog takes the focus once it is open.
  await waitFor(() => assert.ok(screen.getByRole('dialog').contains(document.activeElement)))
  return closed
}

async function renderWebhookDialog(answer: () => unknown = () => created) {
  const calls = serve({ [CREATE_WEBHOOK]: answer })
  return { closed: await showWebhookDialog(), bodies: () => sent(calls, CREATE_WEBHOOK) }
}
const send = () => pressInDialog('Add webhook')
const chooseEvents = (...events: RegExp[]) => {
  fireEvent.click(screen.getByRole('radio', { name: 'Choose events' }))
  for (const name of events) fireEvent.click(screen.getByRole('checkbox', { name }))
}
const addressHasFocus = () => document.activeElement === field('Address')

describe('the address of a new webhook', () => {
  test('a webhook address that is not a web address is not sent, and its field shows the reason and takes the focus', async () => {
    const { bodies } = await renderWebhookDialog()
    for (const url of [
      '',
      '  ',
      'example.test/hook',
      'ftp://example.test',
      'https://',
      'javascript:alert(1)',
    ]) {
      write('Address', url)
      button('Add webhook').focus()
      send()
      assert.ok(isShown('Enter an address, like https://example.com/slipway.'), url)
      assert.equal(field('Address').getAttribute('aria-invalid'), 'true', url)
      assert.ok(addressHasFocus(), url)
    }
    await untilSent()
    assert.deepEqual(bodies(), [])
  })

  test('the error at the webhook address is gone once a correct address is sent', async () => {
    await renderWebhookDialog(() => new Refusal(409, 'conflict', 'At most 100.'))
    send()
    assert.ok(isShown(/^Enter an address/))
    write('Address', URL)
    send()
    await assertAlert(/At most 100/)
    assert.ok(!isShown(/^Enter an address/))
    assert.ok(isShown(/^http or https, and public/))
  })

  test('the scheme of a webhook address may be in capital letters, as some keyboards begin a text', async () => {
    const { bodies } = await renderWebhookDialog()
    write('Address', ' HTTPS://Example.test/Hook ')
    send()
    await screen.findByText(SECRET)
    assert.deepEqual(bodies(), [{ url: 'HTTPS://Example.test/Hook', events: ['*'] }])
  })

  test('a webhook address that the service refuses keeps the text and the focus, and shows the reason', async () => {
    await renderWebhookDialog(() => new Refusal(400, 'invalid_request', 'url: must be a public address'))
    write('Address', 'http://10.0.0.1/hook')
    button('Add webhook').focus()
    send()
    await screen.findByText('Must be a public address.')
    assert.ok(!isThere('alert'))
    assert.ok(addressHasFocus())
    assert.equal(field('Address').value, 'http://10.0.0.1/hook')
    assert.equal(field('Address').getAttribute('aria-invalid'), 'true')
  })

  test('a webhook that is refused for another reason than its address shows a focused alert, and can be sent again', async () => {
    const answers = [new Refusal(409, 'conflict', 'At most 100.'), created]
    await renderWebhookDialog(() => answers.shift())
    write('Address', URL)
    send()
    await assertAlert(/not added.*At most 100.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.ok(!addressHasFocus())
    send()
    await screen.findByText(SECRET)
  })

  test('the error of a refused webhook is gone once the next attempt has no event chosen', async () => {
    await renderWebhookDialog(() => new Refusal(409, 'conflict', 'At most 100.'))
    write('Address', URL)
    send()
    await assertAlert(/At most 100/)
    chooseEvents()
    send()
    await assertAlert(/^Choose at least one event\.$/)
  })
})

describe('the events of a new webhook', () => {
  test('a new webhook gets all events, even those added to the API later, and no list of events is shown', async () => {
    await renderWebhookDialog()
    assert.ok(isShown('All eleven, and those that are added later.'))
    assert.ok(!isThere('checkbox'))
  })

  test('a webhook event that is chosen and then deselected is not sent', async () => {
    const { bodies } = await renderWebhookDialog()
    write('Address', URL)
    chooseEvents(/^A build fails/, /^A ticket is opened/, /^A build fails/)
    send()
    await screen.findByText(SECRET)
    assert.deepEqual(bodies(), [{ url: URL, events: ['ticket.created'] }])
  })

  test('chosen webhook events survive a switch to all events and back, and are not sent with all events', async () => {
    const { bodies } = await renderWebhookDialog()
    write('Address', URL)
    chooseEvents(/^A build fails/)
    fireEvent.click(screen.getByRole('radio', { name: 'All events' }))
    chooseEvents()
    assert.equal(field(/^A build fails/).checked, true)
    fireEvent.click(screen.getByRole('radio', { name: 'All events' }))
    send()
    await screen.findByText(SECRET)
    assert.deepEqual(bodies(), [{ url: URL, events: ['*'] }])
  })

  test('the error about a missing event is the description of the list of events, and the typed webhook address stays', async () => {
    await renderWebhookDialog()
    write('Address', URL)
    chooseEvents()
    send()
    const alert = await screen.findByRole('alert')
    const list = document.querySelector('fieldset[aria-describedby]')
    assert.equal(list?.getAttribute('aria-describedby'), alert.id)
    assert.equal(field('Address').value, URL)
  })

  test('only one example of a webhook event is open at a time, and a second press closes it', async () => {
    await renderWebhookDialog()
    chooseEvents()
    press('Example of ticket.created')
    press('Example of project.deleted')
    assert.deepEqual(
      screen.getAllByRole('region').map((region) => region.getAttribute('aria-label')),
      ['Example of project.deleted'],
    )
    press('Example of project.deleted')
    assert.ok(!isThere('region'))
    assert.equal(button('Example of project.deleted').getAttribute('aria-expanded'), 'false')
  })
})

describe('the secret of a new webhook', () => {
  test('the secret of an added webhook can be copied and is stored nowhere, and the list of webhooks is refetched', async () => {
    queryClient.setQueryData(queryKeys.webhooks, [])
    const { closed } = await renderWebhookDialog()
    write('Address', URL)
    send()
    await screen.findByText(SECRET)
    assert.ok(button('Copy: Signing secret'))
    assert.ok(button('Copy: As an environment variable'))
    await waitFor(() => assert.equal(queryClient.getQueryState(queryKeys.webhooks)?.isInvalidated, true))
    assert.equal(localStorage.length, 0)
    const kept = queryClient.getMutationCache().getAll()
    assert.doesNotMatch(JSON.stringify(kept.map(({ state }) => state)), /whsec_/)
    press('I have saved it')
    assert.deepEqual(closed, ['dialog 1'])
    assert.ok(!isShown(SECRET))
  })

  test("Escape does not close the dialog that shows a webhook's secret for the only time", async () => {
    const { closed } = await renderWebhookDialog()
    write('Address', URL)
    send()
    await screen.findByText(SECRET)
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.ok(isShown(SECRET))
    assert.deepEqual(closed, [])
  })

  test('pressing “Add webhook” twice adds one webhook', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(CREATE_WEBHOOK, created)
    await showWebhookDialog()
    write('Address', URL)
    send()
    await isAsked()
    pressInDialog(/Add webhook/)
    await respond()
    await screen.findByText(SECRET)
    assert.equal(bodies()?.length, 1)
  })

  test('the secret of a webhook is shown even when Escape or Cancel was pressed while the webhook was created', async () => {
    const { isAsked, respond } = serveHeld(CREATE_WEBHOOK, created)
    const closed = await showWebhookDialog()
    write('Address', URL)
    send()
    await isAsked()
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    pressInDialog('Cancel')
    await respond()
    assert.deepEqual(closed, [])
    assert.ok(isShown(SECRET))
  })
})

describe('the draft of a new webhook', () => {
  test('a webhook address that was typed and not sent is back in the reopened dialog, and “Cancel” discards it', async () => {
    await renderWebhookDialog()
    write('Address', URL)
    cleanup()
    await showWebhookDialog()
    assert.ok(isShown('Your unsent text is back.'))
    assert.equal(field('Address').value, URL)
    pressInDialog('Cancel')
    assert.equal(field('Address').value, '')
    assert.equal(localStorage.length, 0)
  })

  test('with a restored webhook draft the first Escape only warns, and the second closes the dialog and discards the draft', async () => {
    await renderWebhookDialog()
    write('Address', URL)
    cleanup()
    const closed = await showWebhookDialog()
    const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    pressEscape()
    await assertAlert(/is not saved/)
    assert.deepEqual(closed, [])
    pressEscape()
    assert.deepEqual(closed, ['dialog 1'])
    assert.equal(localStorage.length, 0)
  })

  test('a stored webhook draft with unknown events is shown without them', async () => {
    await renderWebhookDialog()
    write('Address', URL)
    chooseEvents(/^A build fails/)
    cleanup()
    const [key = ''] = Object.keys(localStorage)
    localStorage.setItem(
      key,
      (localStorage.getItem(key) ?? '').replace('ticket.build.failed', 'ticket.exploded ticket.build.failed'),
    )
    const { bodies } = await renderWebhookDialog()
    assert.equal(field(/^A build fails/).checked, true)
    send()
    await screen.findByText(SECRET)
    assert.deepEqual(bodies(), [{ url: URL, events: ['ticket.build.failed'] }])
    cleanup()
    await renderWebhookDialog()
    write('Address', URL)
    chooseEvents(/^A build fails/)
    cleanup()
    localStorage.setItem(key, (localStorage.getItem(key) ?? '').replace('"chosen"', '"some"'))
    await renderWebhookDialog()
    assert.ok(isShown('All eleven, and those that are added later.'))
  })
})
