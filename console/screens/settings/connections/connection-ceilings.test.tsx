import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { isShown, serve, show } from '../../../testing/console.tsx'
import { ConnectionCeilings } from './connection-ceilings.tsx'

const ceilingsFor = (workers: number) => [
  { thing: 'workers', used: workers, free: 100, paid: 500 },
  { thing: 'queues', used: 4, free: 10_000, paid: 10_000 },
]
const renderCeilings = (workers: number) => {
  serve({ 'GET /connections/cloudflare/ceilings': () => ceilingsFor(workers) })
  show(<ConnectionCeilings />)
}

describe('the usage of a connected account', () => {
  test('the usage of a cloud account is shown with the free and the paid limits, and 79 percent cause no warning', async () => {
    renderCeilings(79)
    await waitFor(() => assert.ok(isShown(/79 of 100/)))
    assert.ok(isShown(/500 on the paid plan/))
    assert.ok(isShown(/4 of 10/))
    assert.ok(!isShown(/are used/))
  })

  test('a cloud account that is nearly full has a warning that says what to do', async () => {
    renderCeilings(80)
    await waitFor(() => assert.ok(isShown(/Workers: 80 of 100 are used.*delete projects/)))
  })

  test('the usage of a cloud account beyond the limit of the free plan is compared with the limit of the paid plan', async () => {
    renderCeilings(120)
    await waitFor(() => assert.ok(isShown(/120 of 500/)))
    assert.ok(!isShown(/are used/))
  })
})
