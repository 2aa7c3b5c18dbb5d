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
    writeInstance('flow', 'a', [0, 1, 26])
    writeInstance('flow', 'b', [0, 1, 26, 2])
    writeInstance('flow', 'c', [0, 1, 26, 28, 27])
    writeInstance('flow', 'd', [])
    writeInstance('gone', 'e', [0, 1, 26])
  })
  after(() => rmSync(stateDir, { recursive: true, force: true }))

  const instanceFile = (workflow: string, letter: string) =>
    join(stateDir, 'workflows', `miniflare-workflows-${workflow}`, `${letter.repeat(64)}.sqlite`)
  function writeInstance(workflow: string, letter: string, events: number[]): void {
    const path = instanceFile(workflow, letter)
    mkdirSync(join(path, '..'), { recursive: true })
    const db = new DatabaseSync(path)
    db.exec(`CREATE TABLE IF NOT EXISTS states (
      id INTEGER PRIMARY KEY, timestamp TEXT DEFAULT (DATETIME('now', 'subsec')), event INTEGER)`)
    for (const event of events) db.prepare('INSERT INTO states (event) VALUES (?)').run(event)
    db.close()
  }
  const countStatuses = () =>
    Object.fromEntries(
      listInstanceFiles(stateDir, 'flow').map(({ objectId, status }) => [objectId[0], status]),
    )

  test('a workflow instance has the status of the last event in its file, and a file without events is not listed', () => {
    assert.deepEqual(countStatuses(), { a: 'running', b: 'complete', c: 'paused' })
    assert.equal(hasActiveInstances(stateDir), true)
    writeInstance('flow', 'a', [3])
    assert.equal(countStatuses()['a'], 'errored')
  })

  test('the clean-up deletes instances of deleted workflows and instances that ended over 30 days ago', () => {
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000)
    for (const letter of ['b', 'c']) utimesSync(instanceFile('flow', letter), longAgo, longAgo)
    sweepInstanceFiles(stateDir, ['flow'], Date.now())
    assert.deepEqual(countStatuses(), { a: 'errored', c: 'paused' })
    assert.equal(existsSync(instanceFile('gone', 'e')), false)
    assert.equal(hasActiveInstances(stateDir), false)
  })
})
