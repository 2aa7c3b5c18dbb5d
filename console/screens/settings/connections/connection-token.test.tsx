import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { ConnectionToken } from './connection-token.tsx'

const CONNECT_TOKEN = 'POST /connections/cloudflare/token'
const TOKEN = 'cf_secret_token'

function renderTokenDialog({
  isMove = false,
  answer = () => ({}),
}: { isMove?: boolean; answer?: () => unknown } = {}) {
  const closed: string[] = []
  const calls = serve({ [CONNECT_TOKEN]: answer })
  show(<ConnectionToken isMove={isMove} onClose={() => closed.push('closed')} />)
  return { closed, bodies: () => (calls[CONNECT_TOKEN] ?? []).map(({ body }) => body) }
}

describe('the dialog that connects a cloud account with a token', () => {
  test('connecting an account with an empty API token sends nothing, and the token field shows the error and takes the focus', async () => {
    const { bodies } = renderTokenDialog()
    write('API token', '   ')
    button('Connect account').focus()
    press('Connect account')
    assert.ok(document.activeElement === field('API token'))
    assert.ok(await screen.findByText('Paste the token.'))
    await untilSent()
    assert.deepEqual(bodies(), [])
  })

  test('the API token of a connection is sent without surrounding blanks, and an empty account id is left out', async () => {
    const { bodies, closed } = renderTokenDialog()
    write('API token', `  ${TOKEN}\n`)
    press('Connect account')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(bodies(), [{ token: TOKEN }])
  })

  test('the mutation cache holds no API token after the account is connected', async () => {
    const { closed } = renderTokenDialog()
    write('API token', TOKEN)
    press('Connect account')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    const kept = queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.variables)
    assert.ok(!JSON.stringify(kept).includes(TOKEN))
  })

  test('an account id that the API token cannot access is reported at its field, and the dialog stays open with the input', async () => {
    const { closed } = renderTokenDialog({
      answer: () => new Refusal(400, 'invalid_request', 'accountId: is not one this token reaches'),
    })
    write('API token', TOKEN)
    write(/Account id/, 'acc_9')
    press('Connect account')
    assert.ok(await screen.findByText(/not one this token reaches/))
    assert.equal(field(/Account id/).getAttribute('aria-invalid'), 'true')
    assert.equal(field('API token').value, TOKEN)
    assert.deepEqual(closed, [])
  })

  test('the form that moves projects to another cloud account says that apps accept no writes meanwhile, and requests a copy of live data', async () => {
    const { bodies, closed } = renderTokenDialog({ isMove: true })
    assert.ok(isShown('Move to your Cloudflare account'))
    assert.ok(isShown(/takes no changes/))
    write('API token', TOKEN)
    press('Connect account')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(bodies(), [{ token: TOKEN, liveData: 'copy' }])
  })
})
