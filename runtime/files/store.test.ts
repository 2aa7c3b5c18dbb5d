import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { FileStore } from './store.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const fileOf = (size: number) => ({ name: 'a.txt', type: 'text/plain', size })

describe('the list of files', () => {
  test("an abandoned upload stops counting toward its owner's limit, even if other owners have many abandoned uploads", () => {
    const store = new FileStore(memoryStorage())
    const own = store.reserve(fileOf(800), 'u_ada', 1000, NOW)
    for (let n = 0; n < 30; n++) store.reserve(fileOf(1), `u_${n}`, 1000, NOW + 1)
    assert.equal(store.reserve(fileOf(300), 'u_ada', 1000, NOW), null)
    assert.deepEqual(store.discardOpen('u_ada', NOW), [])
    const [buried, ...rest] = store.discardOpen('u_ada', NOW + 1)
    assert.deepEqual([buried?.id, rest, store.bytesOf('u_ada')], [own?.id, [], 0])
    assert.notEqual(store.reserve(fileOf(300), 'u_ada', 1000, NOW), null)
    assert.equal(store.finish(own?.id ?? ''), null, 'what was ended does not become a file')
  })

  test('an abandoned multipart upload is listed with the upload id that the bucket needs to abort it', () => {
    const store = new FileStore(memoryStorage())
    const going = store.reserve(fileOf(800), 'u_ada', 1000, NOW)
    store.setMultipart(going?.id ?? '', 'upload-1')
    assert.equal(store.listDeleted(NOW + 1)[0]?.multipart, 'upload-1')
  })

  test("ending an owner's unfinished uploads keeps their finished files and other owners' uploads", () => {
    const store = new FileStore(memoryStorage())
    const done = store.reserve(fileOf(10), 'u_ada', 1000, NOW)
    store.finish(done?.id ?? '')
    store.reserve(fileOf(20), 'u_ada', 1000, NOW)
    store.reserve(fileOf(30), 'u_bob', 1000, NOW)
    assert.equal(store.discardOpen('u_ada', Infinity).length, 1)
    assert.deepEqual([store.bytesOf('u_ada'), store.bytesOf('u_bob')], [10, 30])
  })

  test('files that are deleted but not yet removed from the bucket can be listed by owner', () => {
    const store = new FileStore(memoryStorage())
    const [cut, going, other] = ['u_ada', 'u_ada', 'u_bob'].map((owner) =>
      store.reserve(fileOf(10), owner, 1000, NOW),
    )
    for (const one of [cut, other]) {
      store.finish(one?.id ?? '')
      store.markDeleted(one?.id ?? '')
    }
    store.discardOpen('u_ada', Infinity)
    const dead = store.listDeletedOf('u_ada').map(({ id }) => id)
    assert.deepEqual(dead.toSorted(), [cut?.id, going?.id].toSorted())
    store.forget(dead)
    assert.deepEqual([store.listDeletedOf('u_ada').length, store.listDeletedOf('u_bob').length], [0, 1])
  })
})
