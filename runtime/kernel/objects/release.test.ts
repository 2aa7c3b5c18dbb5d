import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { manifest, manifestHash } from '../../manifest.gen.ts'
import type { PreparedResult } from './calls.ts'
import { ApiError, toFailure } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import { manifestReader } from './manifest-reader.ts'
import type { AppObjectStub, Objects } from './objects.ts'
import { importInWorkerd } from './workerd.test.fixture.ts'

const importCall = () => importInWorkerd(() => import('./call-prepared.ts'))
const UNPREPARED = { ok: false, unprepared: true } as const

describe('a call of a release that the live worker does not know yet', () => {
  let callPrepared: Awaited<ReturnType<typeof importCall>>['callPrepared']
  before(async () => {
    ;({ callPrepared } = await importCall())
  })

  /** Calls a live worker that returns `answers` in turn. Returns the outcome and everything that was sent to the worker. */
  async function call(...answers: PreparedResult<string>[]) {
    const sent: unknown[] = []
    const live = { prepare: async (hash: string, given: Manifest) => void sent.push([hash, given]) }
    const send = async () => {
      sent.push('call')
      return answers.shift() ?? assert.fail('called too often')
    }
    const outcome = await callPrepared(live, send, 'Not ready yet.').catch((error: unknown) =>
      error instanceof ApiError ? toFailure(error) : error,
    )
    return { sent, outcome }
  }

  test('a call of a release that the live worker does not know is repeated once after the manifest of the release was sent', async () => {
    const { sent, outcome } = await call(UNPREPARED, { ok: true, value: 'done' })
    assert.deepEqual([sent, outcome], [['call', [manifestHash, manifest], 'call'], 'done'])
  })

  test('a call whose release is still unknown after its manifest was sent fails as unavailable, without another attempt', async () => {
    const { sent, outcome } = await call(UNPREPARED, UNPREPARED)
    assert.equal(sent.length, 3)
    assert.deepEqual(outcome, { code: 'unavailable', message: 'Not ready yet.' })
  })

  test('a call that the live worker rejects for another reason than an unknown release throws that error and sends no manifest', async () => {
    const error = { code: 'conflict', message: 'Taken.', field: 'name' } as const
    const { sent, outcome } = await call({ ok: false, error })
    assert.deepEqual(sent, ['call'])
    assert.deepEqual(outcome, error)
  })
})

describe('what the live worker reads from the manifest of a release', () => {
  /** A directory that has the manifests in `known`, by release. Records each read. */
  function openDirectory(known: Map<string, Manifest>) {
    const reads: string[] = []
    const objects = {
      getByName: (name: string) =>
        ({
          dirManifest: async (hash: string) => {
            reads.push(`${name} ${hash}`)
            return known.get(hash) ?? null
          },
        }) as unknown as AppObjectStub,
    } as unknown as Objects
    return { objects, reads }
  }
  const release = (name: string): Manifest => ({ name, collections: {}, migrations: [] })

  test('a manifest is read once for each release and tier, because a release never changes', async () => {
    const { objects, reads } = openDirectory(new Map([['one', release('One')]]))
    const nameOf = manifestReader(({ name }) => name)
    for (let n = 0; n < 3; n++) assert.equal(await nameOf({ objects, tier: 'production' }, 'one'), 'One')
    assert.equal(await nameOf({ objects, tier: 'preview' }, 'one'), 'One')
    assert.deepEqual(reads, ['dir one', 'pv:dir one'])
  })

  test('a manifest that the directory does not have yet is read again at the next call', async () => {
    const known = new Map<string, Manifest>()
    const { objects } = openDirectory(known)
    const nameOf = manifestReader(({ name }) => name)
    assert.equal(await nameOf({ objects, tier: 'production' }, 'two'), null)
    known.set('two', release('Two'))
    assert.equal(await nameOf({ objects, tier: 'production' }, 'two'), 'Two')
  })

  test('the live worker caches a limited number of manifests, and reads an evicted one again', async () => {
    const known = new Map(Array.from({ length: 250 }, (_, n) => [`${n}`, release(`App ${n}`)]))
    const { objects, reads } = openDirectory(known)
    const nameOf = manifestReader(({ name }) => name)
    for (const hash of known.keys()) await nameOf({ objects, tier: 'production' }, hash)
    assert.equal(await nameOf({ objects, tier: 'production' }, '249'), 'App 249')
    assert.equal(await nameOf({ objects, tier: 'production' }, '0'), 'App 0')
    assert.deepEqual([reads.length, reads.at(-1)], [251, 'dir 0'])
  })
})
