import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { ServiceProcess } from '../support/service.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Milliseconds between the start of the backup request and the kill. */
const DEATHS_MS = [10, 40, 120]

interface Backup {
  sha: string
  repository: { url: string }
}

describe('a backup completes after a crash', () => {
  let service: ServiceProcess | undefined
  after(() => service?.dispose())

  test('after kill -9 during a backup, repeating the request completes it, records it once and leaves a valid repository', async () => {
    service = await ServiceProcess.start()
    const ann = await Person.signUp(service.url)
    await waitUntil(async () => {
      const { github } = await ann.call<{ github: { connected: boolean } }>('GET /connections')
      return github.connected
    })
    const hosted = join(service.dataDir, 'local', 'github')
    for (const [i, diesAfterMs] of DEATHS_MS.entries()) {
      const { id } = await ann.call<{ id: string }>('POST /projects', { name: `Plants ${i}` })
      const ticket = await ann.call<{ id: string }>(`POST /projects/${id}/tickets`, {
        title: 'Keep a list of plants with a name and a room',
      })
      const run = await ann.call<{ sha: string }>(`POST /projects/${id}/tickets/${ticket.id}/build`, {})
      const dying = ann.request(`POST /projects/${id}/backup`).catch(() => null)
      await sleep(diesAfterMs)
      await service.kill()
      await dying
      await service.restart()
      const backup = await backUp(ann, id)
      assert.equal(backup.sha, run.sha)
      const path = new URL(backup.repository.url).pathname.split('/').slice(-2)
      const folder = `${join(hosted, ...path)}.git`
      const runGit = (...args: string[]) =>
        execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8' }).trim()
      assert.equal(runGit('rev-parse', 'main'), run.sha)
      execFileSync('git', ['--git-dir', folder, 'fsck', '--full', '--strict', '--no-dangling'])
      assert.equal(readdirSync(join(hosted, path[0] ?? '')).length, i + 1, 'one repository for each project')
      const history = await ann.call<{ type: string; sha: string }[]>(`GET /projects/${id}/history`)
      const told = history.filter(({ type }) => type === 'backed_up')
      assert.deepEqual(
        told.map(({ sha }) => sha),
        [run.sha],
        `killed after ${diesAfterMs} ms`,
      )
      const { items } = await ann.call<{ items: { action: string; status: string }[] }>(
        `GET /activity?projectId=${id}&limit=200`,
      )
      const changes = items.filter(
        ({ action, status }) => action.startsWith('repository.') && status === 'ok',
      )
      assert.deepEqual(
        changes.map(({ action }) => action),
        ['repository.pushed', 'repository.created'],
      )
    }
  })
})

/** Retries while the stand-in for the code host is still starting, which takes longer than the service. */
async function backUp(person: Person, id: string): Promise<Backup> {
  const giveUpAt = performance.now() + 30_000
  for (;;) {
    const answer = await person.request(`POST /projects/${id}/backup`)
    const { data, error } = (await answer.json()) as { data: Backup; error?: { code: string } }
    if (answer.status === 200) return data
    assert.equal(error?.code, 'upstream_error')
    assert.ok(performance.now() < giveUpAt, 'did not happen in time')
    await sleep(100)
  }
}
