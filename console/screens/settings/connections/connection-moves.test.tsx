import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
} from '../../../testing/console.tsx'
import { ConnectionMoves } from './connection-moves.tsx'

const MOVES = 'GET /connections/cloudflare/moves'
const SHIP = 'POST /projects/prj_1/deploy'
const moveOf = (part: object = {}) => ({
  projectId: 'prj_1',
  projectName: 'Plants',
  state: 'waiting',
  liveData: 'copy',
  records: null,
  files: null,
  problem: null,
  canShip: true,
  ...part,
})

async function open(
  moves: () => unknown,
  { reason = null as string | null, ship = (): unknown => ({}) } = {},
) {
  const calls = serve({ [MOVES]: moves, [SHIP]: ship })
  await showAt(
    '/app/settings/connections',
    () => <ConnectionMoves reason={reason} />,
    '/settings/connections',
  )
  await waitFor(() => assert.equal(calls[MOVES]?.length, 1))
  await untilSent()
  return calls
}
const rows = () => [...document.querySelectorAll('li li p')].map((line) => line.textContent)

describe('the projects that move to another account', () => {
  test('nothing about moves is shown when no project moves to another cloud account', async () => {
    await open(() => [])
    assert.equal(isThere('list'), false)
  })

  test('each project that moves to another cloud account shows the state of its move, and only a waiting one can be shipped', async () => {
    await open(() => [
      moveOf(),
      moveOf({ projectId: 'prj_2', liveData: 'none' }),
      moveOf({ projectId: 'prj_3', state: 'moving', records: 12, files: 3 }),
      moveOf({ projectId: 'prj_4', state: 'removing' }),
      moveOf({ projectId: 'prj_5', state: 'removing', problem: 'The bucket is not empty.' }),
    ])
    assert.deepEqual(rows(), [
      'Lives on this machine. Records and files come along.',
      'Lives on this machine. Starts empty: its records and files are removed with the move.',
      'Moving. 12 records and 3 files copied so far; the app takes no changes meanwhile.',
      'Serves from your account. What is left on this machine is being removed.',
      'Serves from your account. What is left on this machine could not be removed yet and is retried: The bucket is not empty.',
    ])
    assert.equal(screen.getAllByRole('button').length, 2)
  })

  test('when the ship that moves a project is refused, the project shows the reason, and the list of moves is refetched', async () => {
    const calls = await open(() => [moveOf()], {
      ship: () => new Refusal(409, 'conflict', 'A build is running.'),
    })
    press('Ship to Cloudflare')
    await assertAlert(/A build is running/)
    await waitFor(() => assert.equal(calls[MOVES]?.length, 2))
    assert.equal(calls[SHIP]?.length, 1)
  })

  for (const [who, canShip, reason, words] of [
    ['a project that cannot be shipped', false, null, 'Nothing is built yet, or the project is archived.'],
    ['a member', true, 'Admins only.', 'Admins only.'],
  ] as const)
    test(`the button that ships a moving project does nothing for ${who} and says why`, async () => {
      const calls = await open(() => [moveOf({ canShip })], { reason })
      assert.equal(button('Ship to Cloudflare').getAttribute('aria-description'), words)
      press('Ship to Cloudflare')
      await untilSent()
      assert.deepEqual(calls[SHIP], [])
    })
})
