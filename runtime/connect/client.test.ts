import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { connect } from './client.ts'

describe('linking accounts at other services from a page', () => {
  const former = Object.getOwnPropertyDescriptor(globalThis, 'location')
  let sent: string[]
  let visited: string[]
  beforeEach(() => {
    sent = []
    visited = []
    const location = { pathname: '/settings', assign: (address: string) => void visited.push(address) }
    Object.defineProperty(globalThis, 'location', { value: location, configurable: true })
    mock.method(globalThis, 'fetch', async (address: string, { method }: RequestInit) => {
      sent.push(`${method} ${address}`)
      return Response.json({ ok: true, data: null })
    })
  })
  afterEach(() => {
    mock.restoreAll()
    if (former === undefined) Reflect.deleteProperty(globalThis, 'location')
    else Object.defineProperty(globalThis, 'location', former)
  })

  test('linking a service opens its start route, with the current page or the given path as the return path', () => {
    connect.link('github')
    connect.link('github', { returnTo: '/plants?new=1' })
    assert.deepEqual(visited, [
      '/_app/connect/github/start?returnTo=%2Fsettings',
      '/_app/connect/github/start?returnTo=%2Fplants%3Fnew%3D1',
    ])
  })

  test("a service name with slashes, for instance from a page's address, does not lead to another route of the app", async () => {
    const path = '/_app/connect/..%2Fauth'
    connect.link('../auth')
    await connect.unlink('../auth')
    await connect.saveKey('../auth', 'k')
    assert.deepEqual(
      [visited, sent],
      [[`${path}/start?returnTo=%2Fsettings`], [`DELETE ${path}`, `POST ${path}/key`]],
    )
  })
})
