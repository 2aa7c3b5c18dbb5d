import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { render, screen } from '@testing-library/react'
import { RelativeTime } from './time.tsx'

describe('a time in the console', () => {
  test('a time is shown relative to now, with the exact time as its tooltip', () => {
    const at = new Date(Date.now() - 3 * 3_600_000).toISOString()
    render(<RelativeTime at={at} />)
    const time = screen.getByText('3 hours ago')
    assert.deepEqual([time.tagName, time.getAttribute('datetime')], ['TIME', at])
    assert.match(time.title, new RegExp(String(new Date(at).getFullYear())))
  })

  test('a text that is not a time is shown unchanged', () => {
    for (const at of ['', 'soon', '2026-13-45T00:00:00Z']) {
      const { container, unmount } = render(
        <p>
          Started <RelativeTime at={at} />
        </p>,
      )
      assert.equal(container.textContent, `Started ${at}`)
      unmount()
    }
  })
})
