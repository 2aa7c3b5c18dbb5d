import { after, before, describe, test } from 'node:test'
import { type MoveKills, openMoveKills, RECORDS } from './move-kills.ts'

describe('a crash while an app is copied to another cloud account', () => {
  let kills: MoveKills
  before(async () => {
    kills = await openMoveKills()
  })
  after(() => kills?.close())

  test('kill -9 while an app is copied to another cloud account loses no acknowledged record and leaves nothing in the old one', () =>
    kills.killAtEach([
      { name: 'as soon as it has begun', isIt: () => true },
      { name: 'among the records', isIt: ({ records }) => records > 0 },
      { name: 'among the files', isIt: ({ records }) => records >= RECORDS },
    ]))
})
