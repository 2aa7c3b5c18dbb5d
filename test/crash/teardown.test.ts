import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { ServiceProcess } from '../support/service.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Milliseconds between the start of the request that deletes a project and the kill. */
const DEATHS_MS = [5, 20, 60]

describe('a project is deleted completely and only once, despite crashes', () => {
  let service: ServiceProcess | undefined
  after(() => service?.dispose())

  test('a project deletion interrupted by kill -9 is completed by the next request, logged once, and leaves nothing behind', async () => {
    service = await ServiceProcess.start()
    const ann = await Person.signUp(service.url, 'ann@example.test')
    await waitUntil(async () => {
      const { cloudflare } = await ann.call<{ cloudflare: { connected: boolean } }>('GET /connections')
      return cloudflare.connected
    })
    for (const diesAfterMs of DEATHS_MS) {
      // Every project has the same address, so the next one cannot be created if a deletion left anything in the
      // cloud account.
      const { id } = await ann.call<{ id: string }>('POST /projects', { name: 'Doomed' })
      await ann.call(`PUT /projects/${id}/capabilities/data`, { enabled: true })
      await waitUntil(async () => {
        const { provision } = await ann.call<{ provision: { state: string } }>(`GET /projects/${id}`)
        return provision.state === 'idle'
      })
      const dying = ann.request(`DELETE /projects/${id}`).catch(() => null)
      await sleep(diesAfterMs)
      await service.kill()
      await dying
      await service.restart()
      await deleteToTheEnd(ann, id)
      const { items } = await ann.call<{ items: { action: string; target: string }[] }>(
        `GET /activity?projectId=${id}&limit=200`,
      )
      const removed = items.filter(({ action }) => action === 'project.deleted')
      assert.equal(removed.length, 1, `killed after ${diesAfterMs} ms`)
      assert.ok(items.some(({ action }) => action === 'worker.delete'))
    }
  })
})

/** Repeats the deletion until the project is gone (404). When the kill came after the deletion, the first repetition returns 404. */
async function deleteToTheEnd(person: Person, id: string): Promise<void> {
  for (;;) {
    const answer = await person.request(`DELETE /projects/${id}`)
    if (answer.status === 404) return
    assert.equal(answer.status, 200)
    const { data } = (await answer.json()) as { data: { teardown: { remaining: number; failed: unknown[] } } }
    assert.deepEqual(data.teardown.failed, [])
  }
}
