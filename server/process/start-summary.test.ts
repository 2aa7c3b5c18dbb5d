import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAccess } from './start-summary.ts'
import { testApp } from '../testing/app.ts'
import { undoAfter } from '../testing/undo.ts'

const BASE_URL = 'http://localhost:4300'
const HERE = [
  { address: '127.0.0.1', port: 4300 },
  { address: '::1', port: 4300 },
]

test('the start summary says which machines can reach the service, who may sign up, and what to do first', async (t) => {
  const world = await testApp()
  undoAfter(t, () => world.close())
  const summaryLines = (listensOn: typeof HERE, signup: 'open' | 'invite' = 'open') =>
    describeAccess({ baseUrl: BASE_URL, signup }, { listensOn, db: world.platform.db })
  assert.deepEqual(await summaryLines(HERE), [
    'Open to this machine only',
    'Sign-up: open',
    `No account exists yet: open ${BASE_URL}/sign-up and create the first one`,
  ])
  assert.deepEqual(await summaryLines([{ address: '0.0.0.0', port: 4300 }], 'invite'), [
    'Open to everyone who reaches 0.0.0.0:4300',
    'Sign-up: by invitation only',
    'No account exists yet: set SLIPWAY_SIGNUP=open until the first one is created',
  ])
  await world.signUp()
  assert.deepEqual(await summaryLines([{ address: '::', port: 80 }, ...HERE]), [
    'Open to everyone who reaches [::]:80',
    'Sign-up: open',
  ])
})
