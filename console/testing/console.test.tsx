import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlineManager, useMutation } from '@tanstack/react-query'
import { revokeKey } from '../api/organization/api-keys.ts'
import { uploadPicture } from '../api/organization/help.ts'
import { connection } from '../shell/bars/browser-connection.ts'
import { press, Refusal, sent, serve, show, untilSent } from './console.tsx'

function RevokeButton() {
  const revoke = useMutation({ mutationFn: () => revokeKey('key_1') })
  return (
    <button type="button" onClick={() => revoke.mutate()}>
      Revoke
    </button>
  )
}

test('after the test helper `untilSent` resolves, the fake server has received the request of a clicked button', async () => {
  const calls = serve({ 'DELETE /keys/key_1': () => null })
  show(<RevokeButton />)
  press('Revoke')
  assert.equal(calls['DELETE /keys/key_1']?.length, 0)
  await untilSent()
  assert.equal(calls['DELETE /keys/key_1']?.length, 1)
})

test('the fake server of the tests records an uploaded file as text when it is not JSON', async () => {
  const calls = serve({ 'POST /help/attachments': () => null })
  await uploadPicture(new File(['x'], 'shot.png', { type: 'image/png' }))
  assert.deepEqual(sent(calls, 'POST /help/attachments'), ['x'])
})

test('after one request is refused as unavailable, the console still reads data, because the fake server stays healthy', async () => {
  serve({ 'DELETE /keys/key_1': () => new Refusal(503, 'unavailable', 'Busy.') })
  await assert.rejects(revokeKey('key_1'), { code: 'unavailable' })
  await connection.check()
  assert.equal(connection.get(), 'online')
  assert.equal(onlineManager.isOnline(), true)
})
