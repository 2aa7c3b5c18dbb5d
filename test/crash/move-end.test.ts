import { after, before, describe, test } from 'node:test'
import { FILES, type MoveKills, openMoveKills } from './move-kills.ts'

describe('a move to another account loses nothing in a crash', () => {
  let kills: MoveKills
  before(async () => {
    kills = await openMoveKills()
  })
  after(() => kills?.close())

  test('after kill -9 at the end of a move, every acknowledged record is in the new account, and nothing is left in the old one', () =>
    kills.killAtEach([
      { name: 'while the new app is put up', isIt: ({ files }) => files === FILES },
      { name: 'while the hosting left behind is removed', isIt: ({ state }) => state === 'removing' },
    ]))
})
