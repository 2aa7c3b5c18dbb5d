import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShown, show } from '../testing/console.tsx'
import { useFirstRead } from './first-read.ts'

function Page({ of, isLoading }: { of: string; isLoading: boolean }) {
  return useFirstRead(of, isLoading) ? 'skeleton' : 'content'
}

test('a page that was shown once stays on screen while its data is fetched again', () => {
  const { rerender } = show(<Page of="a" isLoading />)
  assert.ok(isShown('skeleton'))
  rerender(<Page of="a" isLoading={false} />)
  assert.ok(isShown('content'))
  rerender(<Page of="a" isLoading />)
  assert.ok(isShown('content'))
  rerender(<Page of="b" isLoading />)
  assert.ok(isShown('skeleton'))
})
