import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShown, show } from '../testing/console.tsx'
import { useFirstRead } from './first-read.ts'

function FirstReadPage({ of, isLoading }: { of: string; isLoading: boolean }) {
  return useFirstRead(of, isLoading) ? 'skeleton' : 'content'
}

test('a page stays on screen during a refetch, and shows its loading skeleton only until its data was loaded once', () => {
  const { rerender } = show(<FirstReadPage of="a" isLoading />)
  assert.ok(isShown('skeleton'))
  rerender(<FirstReadPage of="a" isLoading={false} />)
  assert.ok(isShown('content'))
  rerender(<FirstReadPage of="a" isLoading />)
  assert.ok(isShown('content'))
  rerender(<FirstReadPage of="b" isLoading />)
  assert.ok(isShown('skeleton'))
})
