import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../testing/database.ts'
import { isOpenToAll } from '../../testing/open-to-all.ts'
import { descendants } from '../../testing/processes.ts'
import { sampleTree } from '../../testing/apps/sample-app.ts'
import { undoAfter } from '../../testing/undo.ts'
import { openCheckers } from '../check/pool/pool.ts'

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

test("every program of a check runs as the service's user, or as another user if the service runs as root", async (t) => {
  const pool = openCheckers({ size: 1, log: silentLog })
  undoAfter(t, () => pool.close())
  const others = new Set(descendants(process.pid, ''))
  // Only the last observation of a process counts, because between fork and exec a process is still a copy of the service's process.
  const seen = new Map<number, { name: string; ids: string[] }>()
  const over = new AbortController()
  const checking = pool.check(sampleTree(), { enabled: ['data'] }).finally(() => over.abort())
  while (!over.signal.aborted) {
    for (const pid of descendants(process.pid, '').filter((one) => !others.has(one))) {
      const name = read(pid, 'comm').trim()
      const ids = /^Uid:\s+(.*)$/m.exec(read(pid, 'status'))?.[1]?.split('\t') ?? []
      if (ids.length > 0) seen.set(pid, { name, ids })
    }
    await sleep(5)
  }
  const { checks } = await checking
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
  const names = [...seen.values()].map(({ name }) => name)
  for (const name of ['workerd', 'tsc', 'esbuild'])
    assert.ok(names.includes(name), `${name}: ${names.join()}`)
  const own = String(process.getuid?.())
  for (const { name, ids } of seen.values()) {
    // In a checkout that other accounts cannot read, the processes keep the rights of root, and the log says so.
    if (own === '0' && isOpenToAll(import.meta.filename))
      assert.ok(!ids.includes('0'), `${name} runs as root`)
    else assert.deepEqual([...new Set(ids)], [own], name)
  }
})
