import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { WorkflowStep } from 'cloudflare:workers'
import { importObjects } from '../data/partition/objects.test.fixture.ts'
import type { AppFlow } from './paused.ts'

describe('a flow of an app that is not deployed', () => {
  let Flow: typeof AppFlow
  before(async () => {
    Flow = (await importObjects()).PausedFlow
  })

  test('while its app is not deployed, a flow run only sleeps, twice as long each time, up to a day', async () => {
    const slept: number[] = []
    const names = new Set<string>()
    const step = {
      sleep: async (name: string, ms: number) => {
        names.add(name)
        slept.push(ms)
        // Simulates Cloudflare, which ends the instance when the app is deployed again.
        if (slept.length === 20) throw new Error('deployed')
      },
    } as unknown as WorkflowStep
    await assert.rejects(new Flow(null, {}).run({}, step), /deployed/)
    assert.deepEqual(slept.slice(0, 4), [1000, 2000, 4000, 8000])
    assert.deepEqual(slept.slice(-4), [65_536_000, 86_400_000, 86_400_000, 86_400_000])
    assert.equal(names.size, 1)
  })
})
