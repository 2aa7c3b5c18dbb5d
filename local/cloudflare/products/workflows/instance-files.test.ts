import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { hasActiveInstances, listInstanceFiles, sweepInstanceFiles } from './instance-files.ts'

describe('files of workflow instances', () => {
  let stateDir: string
  before(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'slipway-instances-'))
    write('flow', 'a', [0, 1, 26])
    write('flow', 'b', [0, 1, 26, 2])
    write('flow', 'c', [0, 1, 26, 28, 27])
    write('flow', 'd', [])
    write('gone', 'e', [0, 1, 26])
  })
  after(() => rmSync(stateDir, { recursive: true, force: true }))

  const pathOf = (workflow: string, letter: string) =>
    join(stateDir, 'workflows', `miniflare-workflows-${workflow}`, `${letter.repeat(64)}.sqlite`)
  function write(workflow: string, letter: string, events: number[]): void {
    const path = pathOf(workflow, letter)
    mkdirSync(join(path, '..'), { recursive: true })
    const db = new DatabaseSync(path)
    db.exec(`CREATE TABLE IF NOT EXISTS states (
      id INTEGER PRIMARY KEY, timestamp TEXT DEFAULT (DATETIME('now', 'subsec')), event INTEGER)`)
    for (const event of events) db.prepare('INSERT INTO states (event) VALUES (?)').run(event)
    db.close()
  }
  const statuses = () =>
    Object.fromEntries(
      listInstanceFiles(stateDir, 'flow').map(({ objectId, status }) => [objectId[0], status]),
    )

  test('the status of a workflow instance is read from its log as it grows; a file without a log is no instance', () => {
    assert.deepEqual(statuses(), { a: 'running', b: 'complete', c: 'paused' })
    assert.equal(hasActiveInstances(stateDir), true)
    write('flow', 'a', [3])
    assert.equal(statuses()['a'], 'errored')
  })

  test('the sweep removes instances of deleted workflows and those that ended long ago', () => {
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000)
    for (const letter of ['b', 'c']) utimesSync(pathOf('flow', letter), longAgo, longAgo)
    sweepInstanceFiles(stateDir, ['flow'], Date.now())
    assert.deepEqual(statuses(), { a: 'errored', c: 'paused' })
    assert.equal(existsSync(pathOf('gone', 'e')), false)
    assert.equal(hasActiveInstances(stateDir), false)
  })
})
