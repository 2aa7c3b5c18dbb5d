import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, render, screen } from '@testing-library/react'
import { isShown, press } from '../../testing/console.tsx'
import { FollowingScroll } from './following-scroll.tsx'

/** Renders a log. Sets its heights (1000 px of content, 100 px visible), because the DOM of the tests computes no layout. */
function renderLog(first: { isGrowing?: boolean; firstKey?: string } = {}) {
  const log = (part: typeof first) => (
    <FollowingScroll label="Log" {...part}>
      <p>one</p>
    </FollowingScroll>
  )
  const { rerender } = render(log(first))
  const area = screen.getByRole('region', { name: 'Log' })
  let heightPx = 1000
  Object.defineProperty(area, 'scrollHeight', { get: () => heightPx })
  Object.defineProperty(area, 'clientHeight', { value: 100 })
  return {
    area,
    change: (part: typeof first, nextHeightPx = heightPx) => {
      heightPx = nextHeightPx
      rerender(log(part))
    },
    scrollTo: (topPx: number) => {
      area.scrollTop = topPx
      fireEvent.scroll(area)
    },
  }
}

const JUMP = 'Jump to latest'

describe('a scroll area that follows its end', () => {
  test('a reader who scrolled up in growing content gets a button that jumps to the end, and a reader near the end does not', () => {
    const { area, scrollTo } = renderLog()
    scrollTo(860)
    assert.ok(!isShown(JUMP))
    scrollTo(300)
    assert.equal(area.scrollTop, 300)
    press(JUMP)
    assert.equal(area.scrollTop, 1000)
    assert.ok(!isShown(JUMP))
  })

  test('older content that is added at the top does not move what the reader sees', () => {
    const { area, scrollTo, change } = renderLog({ firstKey: 'm2' })
    scrollTo(300)
    change({ firstKey: 'm2' })
    change({ firstKey: 'm1' }, 1400)
    assert.equal(area.scrollTop, 700)
  })

  test('when growing content is complete, the view scrolls to its top, and scrolling shows no button to jump to the end', () => {
    const { area, scrollTo, change } = renderLog({ isGrowing: true })
    change({ isGrowing: false })
    assert.equal(area.scrollTop, 0)
    scrollTo(300)
    assert.equal(area.scrollTop, 300)
    assert.ok(!isShown(JUMP))
  })

  test('when completed content grows again, the view scrolls to its end, even if the reader had scrolled up', () => {
    const { area, scrollTo, change } = renderLog({ isGrowing: true })
    scrollTo(300)
    change({ isGrowing: false })
    scrollTo(200)
    change({ isGrowing: true })
    assert.equal(area.scrollTop, 1000)
    assert.ok(!isShown(JUMP))
  })
})
