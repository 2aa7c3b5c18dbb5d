import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { readRecentPages, rememberPage } from './recent.ts'

const STORAGE_KEY = 'slipway.recent'
let storedItems: Map<string, string>
const originalStorage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

describe('recently opened pages', () => {
  beforeEach(() => {
    storedItems = new Map()
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      value: {
        getItem: (key: string) => storedItems.get(key) ?? null,
        setItem: (key: string, value: string) => storedItems.set(key, value),
      },
    })
  })
  afterEach(() => {
    if (originalStorage) Object.defineProperty(globalThis, 'localStorage', originalStorage)
    else Reflect.deleteProperty(globalThis, 'localStorage')
  })

  test('recently opened pages are listed newest first, each once, at most eight', () => {
    for (let n = 1; n <= 9; n++) rememberPage({ to: `/projects/${n}`, label: `Project ${n}` })
    rememberPage({ to: '/projects/5', label: 'Project 5' })
    const places = readRecentPages()
    assert.equal(places.length, 8)
    assert.deepEqual(
      places.slice(0, 3).map(({ label }) => label),
      ['Project 5', 'Project 9', 'Project 8'],
    )
  })

  test('a stored recent page that is not a console path is ignored', () => {
    storedItems.set(
      STORAGE_KEY,
      JSON.stringify([{ to: 'javascript:alert(1)', label: 'x' }, { to: '//evil.test', label: 'y' }, 1]),
    )
    assert.deepEqual(readRecentPages(), [])
    storedItems.set(STORAGE_KEY, '{broken')
    assert.deepEqual(readRecentPages(), [])
  })
})
