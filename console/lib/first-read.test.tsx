import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShown, show } from '../testing/console.tsx'
import { useFirstRead } from './first-read.ts'

function FirstReadPage({ of, isLoading }: { of: string; isLoading: boolean }) {
  return useFirstRead(of, isLoading) ? 'skeleton' : 'content'
}

test('a page stays on screen while its data is fetched again, and a page whose data was never loaded shows its loading skeleton', () => {
  const { rerender } = show(<FirstReadPage of="a" isLoading />)
  assert.ok(isShown('skeleton'))
  rerender(<FirstReadPage of="a" isLoading={false} />)
  assert.ok(isShown('content'))
  rerender(<FirstReadPage of="a" isLoading />)
  assert.ok(isShown('content'))
  rerender(<FirstReadPage of="b" isLoading />)
  assert.ok(isShown('skeleton'))
})
