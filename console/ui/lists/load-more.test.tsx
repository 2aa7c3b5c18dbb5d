import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { act, screen } from '@testing-library/react'
import { press, show } from '../../testing/console.tsx'
import { LoadMore } from './load-more.tsx'

const originalObserver = globalThis.IntersectionObserver
let reachEnd: (isIntersecting: boolean) => void
let isWatching: boolean

class FakeObserver {
  constructor(call: (entries: { isIntersecting: boolean }[]) => void) {
    reachEnd = (isIntersecting) => act(() => call([{ isIntersecting }]))
  }
  observe() {
    isWatching = true
  }
  disconnect() {
    isWatching = false
  }
}

describe('the end of a list with more pages', () => {
  beforeEach(() => void Object.assign(globalThis, { IntersectionObserver: FakeObserver }))
  afterEach(() => void Object.assign(globalThis, { IntersectionObserver: originalObserver }))

  function open(part: { isLoading?: boolean; error?: unknown } = {}) {
    let pages = 0
    const end = (now: typeof part) => (
      <LoadMore isLoading={false} error={null} {...now} onMore={() => pages++} />
    )
    const { rerender, unmount } = show(end(part))
    return { pages: () => pages, set: (now: typeof part) => rerender(end(now)), unmount }
  }

  test('scrolling to the end of a list loads one page, and the button loads another', () => {
    const { pages } = open()
    reachEnd(false)
    assert.equal(pages(), 0)
    reachEnd(true)
    assert.equal(pages(), 1)
    press('Show more')
    assert.equal(pages(), 2)
  })

  test('while a page of a list loads, neither scrolling nor the button loads another', () => {
    const { pages } = open({ isLoading: true })
    reachEnd(true)
    press(/./)
    assert.equal(pages(), 0)
  })

  test('after a page of a list failed to load, only the button retries it, and scrolling loads pages again after a success', () => {
    const error = new SlipwayError('No.', { code: 'unavailable', status: 503 })
    const { pages, set } = open({ error })
    reachEnd(true)
    assert.equal(pages(), 0)
    press('Try again')
    assert.equal(pages(), 1)
    set({})
    assert.ok(screen.queryByRole('alert') === null)
    reachEnd(true)
    assert.equal(pages(), 2)
  })

  test('an unmounted list no longer observes its end', () => {
    const { unmount } = open()
    assert.equal(isWatching, true)
    unmount()
    assert.equal(isWatching, false)
  })
})
