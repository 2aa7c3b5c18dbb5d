import { after, before, describe, test } from 'node:test'
import { FILES, type MoveKills, openMoveKills } from './move-kills.ts'

describe('a crash at the end of a move to another cloud account', () => {
  let kills: MoveKills
  before(async () => {
    kills = await openMoveKills()
  })
  after(() => kills?.close())

  test("kill -9 at the end of an app's move to another cloud account loses no acknowledged record", () =>
    kills.killAtEach([
      { name: 'while the new app is put up', isIt: ({ files }) => files === FILES },
      { name: 'while the hosting left behind is removed', isIt: ({ state }) => state === 'removing' },
    ]))
})
