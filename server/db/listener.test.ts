import assert from 'node:assert/strict'
import { once, EventEmitter } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { openListener, type Listener } from './listener.ts'

let database: TestDatabase
let listener: Listener
function recordPayloads(channel: string) {
  const heard: string[] = []
  const calls = new EventEmitter()
  const off = listener.on(channel, (payload) => {
    heard.push(payload)
    calls.emit('call')
  })
  const waitForPayloads = async (count: number) => {
    while (heard.length < count) await once(calls, 'call')
    return heard
  }
  return { heard, next: waitForPayloads, off }
}

const notifyChannel = (channel: string, payload: string) =>
  database.pool.query('select pg_notify($1, $2)', [channel, payload])

describe('the notification listener', () => {
  before(async () => {
    database = await testDatabase()
    listener = await openListener({ url: database.url, log: silentLog })
  })
  after(async () => {
    await listener.close()
    await database.drop()
  })

  test('a notification handler is called once as soon as LISTEN is active, and then with the payload of every notification on its channel', async () => {
    const news = recordPayloads('news')
    await news.next(1)
    await notifyChannel('news', 'one')
    await notifyChannel('elsewhere', 'not for us')
    await notifyChannel('news', 'two')
    assert.deepEqual(await news.next(3), ['', 'one', 'two'])
    news.off()
  })

  test('LISTEN is sent for one channel after another when several channels are added at the same time', async () => {
    const warnings: string[] = []
    const noteWarning = ({ message }: Error) => warnings.push(message)
    process.on('warning', noteWarning)
    const channels = ['left', 'middle', 'right'].map(recordPayloads)
    await Promise.all(channels.map((channel) => channel.next(1)))
    process.off('warning', noteWarning)
    assert.deepEqual(warnings, [])
    for (const channel of channels) channel.off()
  })

  test('a removed notification handler is not called again, and the remaining handlers are still called', async () => {
    const gone = recordPayloads('shared')
    const stays = recordPayloads('shared')
    await gone.next(1)
    gone.off()
    await notifyChannel('shared', 'late')
    await stays.next(2)
    assert.deepEqual(gone.heard, [''])
  })

  test('after a lost connection every notification handler is called with an empty payload, and later notifications are received', async () => {
    const one = recordPayloads('one')
    const two = recordPayloads('Two; "quoted"')
    await Promise.all([one.next(1), two.next(1)])
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'slipway listener' and datname = current_database()`,
    )
    await Promise.all([one.next(2), two.next(2)])
    await notifyChannel('Two; "quoted"', 'again')
    assert.deepEqual(await two.next(3), ['', '', 'again'])
    assert.deepEqual(one.heard, ['', ''])
  })

  test('a closed listener does not reconnect', async () => {
    const other = await openListener({ url: database.url, log: silentLog })
    await other.close()
    const countListeners = async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where application_name = 'slipway listener' and datname = current_database()`,
      )
      return rowCount
    }
    // Only the listener of this test file remains. Postgres lists a closed connection for a moment longer.
    for (let tries = 0; tries < 100 && (await countListeners()) !== 1; tries++) await sleep(10)
    assert.equal(await countListeners(), 1)
  })
})
