import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { readNextAlarm } from './alarms.ts'

const MINUTE_MS = 60_000

describe('the next alarm of the Durable Objects of a process', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-alarms-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const folderOf = (namespace: string) => {
    const folder = join(dir, 'do', namespace)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const openMetadata = (namespace: string) => new DatabaseSync(join(folderOf(namespace), 'metadata.sqlite'))
  /** Writes alarms as workerd does, in nanoseconds. */
  const setAlarms = (namespace: string, ...times: number[]) => {
    const db = openMetadata(namespace)
    db.exec('CREATE TABLE _cf_ALARM (actor_id TEXT PRIMARY KEY, scheduled_time INTEGER)')
    for (const [at, time] of times.entries())
      db.prepare('INSERT INTO _cf_ALARM VALUES (?, ?)').run(String(at), BigInt(time) * 1_000_000n)
    db.close()
  }
  const assertSoon = (at: number | null) =>
    assert.ok(at !== null && Math.abs(at - Date.now() - 5 * MINUTE_MS) < MINUTE_MS, String(at))

  test('the next alarm is the earliest of all Durable Objects of all classes, to the millisecond', () => {
    const at = Date.parse('2027-05-06T07:08:09.123Z')
    setAlarms('one', at + 5000, at + 1)
    setAlarms('two', at, at + 9000)
    setAlarms('three')
    assert.equal(readNextAlarm(dir), at)
  })

  test('there is no next alarm without data, without an alarm table or with an empty alarm table', () => {
    assert.equal(readNextAlarm(dir), null)
    folderOf('no-file')
    openMetadata('no-table').close()
    writeFileSync(join(folderOf('empty-file'), 'metadata.sqlite'), '')
    writeFileSync(join(dir, 'do', '.DS_Store'), 'a file manager left this')
    setAlarms('empty-table')
    assert.equal(readNextAlarm(dir), null)
  })

  test('the next alarm is read while another connection writes to the database', () => {
    const db = openMetadata('busy')
    db.exec('PRAGMA journal_mode=WAL; CREATE TABLE _cf_ALARM (actor_id TEXT, scheduled_time INTEGER)')
    db.exec('INSERT INTO _cf_ALARM VALUES (1, 7000000000); BEGIN IMMEDIATE')
    db.exec('UPDATE _cf_ALARM SET scheduled_time = 1000000000')
    assert.equal(readNextAlarm(dir), 7000)
    db.exec('COMMIT')
    assert.equal(readNextAlarm(dir), 1000)
    db.close()
  })

  test('an unreadable next alarm is assumed to be due in five minutes, so that no alarm is missed', () => {
    const db = openMetadata('newer')
    db.exec('CREATE TABLE _cf_ALARM (actor_id TEXT, due TEXT)')
    db.close()
    assertSoon(readNextAlarm(dir))
    rmSync(join(dir, 'do'), { recursive: true })
    writeFileSync(join(folderOf('damaged'), 'metadata.sqlite'), 'not a database'.repeat(100))
    assertSoon(readNextAlarm(dir))
    rmSync(join(dir, 'do'), { recursive: true })
    mkdirSync(join(folderOf('odd'), 'metadata.sqlite'))
    assertSoon(readNextAlarm(dir))
    // An earlier alarm of another class is still found.
    setAlarms('known', 1000)
    assert.equal(readNextAlarm(dir), 1000)
  })
})
