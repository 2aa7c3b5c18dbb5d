import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { assertAlert, isShown, press, Refusal, serve, show, write } from '../../testing/console.tsx'
import { PlanPane } from './plan-pane.tsx'

const SEND_MESSAGE = 'POST /projects/prj_1/plan/stream'
const PROJECT = { id: 'prj_1', name: 'Plants' } as Project

describe('a message to the plan agent that was refused', () => {
  test('“Try again” sends the current text to the AI planning agent and is hidden while the field is empty', async () => {
    const calls = serve({
      'GET /projects/prj_1/plan/messages': () => ({ items: [], nextCursor: null, total: 0 }),
      [SEND_MESSAGE]: () => new Refusal(503, 'unavailable', 'The service is busy.'),
    })
    show(<PlanPane project={PROJECT} hasReadme={false} />)
    await screen.findByRole('button', { name: 'Send' })
    write(/Message to/, 'A shop')
    press('Send')
    await assertAlert(/busy/)
    screen.getByRole('button', { name: 'Try again' })
    write(/Message to/, ' ')
    assert.ok(!isShown('Try again'))
    write(/Message to/, 'A bakery')
    press('Try again')
    await waitFor(() => assert.equal(calls[SEND_MESSAGE]?.length, 2))
    await assertAlert(/busy/)
    assert.deepEqual(
      calls[SEND_MESSAGE]?.map(({ body }) => body),
      [{ text: 'A shop' }, { text: 'A bakery' }],
    )
  })
})
