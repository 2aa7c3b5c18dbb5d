import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  press,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
} from '../../testing/kit.test.fixture.tsx'
import { reconnectStores } from './page-store.ts'
import { useApi } from './use-api.ts'

/** What each rendering of the component showed. */
const shown: [path: string, sum: number | null][] = []

function Report({ path }: { path: string }) {
  const { data, status, error, reload } = useApi<{ sum: number }>(path)
  shown.push([path, data?.sum ?? null])
  return (
    <>
      <output>{`${status} ${data?.sum ?? '-'} ${error?.message ?? ''}`.trim()}</output>
      <button type="button" onClick={reload}>
        Read again
      </button>
    </>
  )
}
const statusText = () => screen.getByRole('status').textContent
const statusBecomes = (words: string) => waitFor(() => assert.equal(statusText(), words))

describe('the result of a route', () => {
  test('useApi loads the result of a route, and can reload it', async () => {
    let sum = 1
    const calls = serveApp({ 'GET /api/sum': () => ({ sum: sum++ }) })
    render(<Report path="/api/sum" />)
    assert.equal(statusText(), 'loading -')
    await statusBecomes('ready 1')
    press('Read again')
    await statusBecomes('ready 2')
    assert.equal(calls['GET /api/sum']?.length, 2)
  })

  test('useApi keeps the last result of a route when a reload fails, and clears the error after the next success', async () => {
    const answers = [{ sum: 1 }, new RefusedResponse('server_error', 'It broke.'), { sum: 3 }]
    serveApp({ 'GET /api/sum': () => answers.shift() })
    render(<Report path="/api/sum" />)
    await statusBecomes('ready 1')
    press('Read again')
    await statusBecomes('failed 1 It broke.')
    press('Read again')
    await statusBecomes('ready 3')
  })

  test('useApi reports an unreachable app in a readable sentence', async () => {
    serveApp({
      'GET /api/sum': () => {
        throw new TypeError('fetch failed')
      },
    })
    render(<Report path="/api/sum" />)
    await statusBecomes('failed - The app could not be reached. Check the connection and try again.')
  })

  test('several reload requests during a slow read of a route cause one more read', async () => {
    const { promise, resolve } = Promise.withResolvers<{ sum: number }>()
    const answers: unknown[] = [promise, { sum: 2 }]
    const calls = serveApp({ 'GET /api/sum': () => answers.shift() })
    render(<Report path="/api/sum" />)
    for (let n = 0; n < 5; n++) press('Read again')
    await act(async () => resolve({ sum: 1 }))
    await statusBecomes('ready 2')
    assert.equal(calls['GET /api/sum']?.length, 2)
  })

  test('a slow response for a path that is no longer requested is not shown', async () => {
    const { promise, resolve } = Promise.withResolvers<{ sum: number }>()
    serveApp({ 'GET /api/old': () => promise, 'GET /api/new': () => ({ sum: 9 }) })
    const { rerender } = render(<Report path="/api/old" />)
    rerender(<Report path="/api/new" />)
    await statusBecomes('ready 9')
    await act(async () => resolve({ sum: 1 }))
    assert.equal(statusText(), 'ready 9')
  })

  test('useApi is ready, and does not stay loading, when a route returns null', async () => {
    serveApp({ 'GET /api/sum': () => null })
    render(<Report path="/api/sum" />)
    await statusBecomes('ready -')
  })

  test('useApi never shows the result of the previous path for a new path, not even in one render', async () => {
    serveApp({ 'GET /api/old': () => ({ sum: 1 }), 'GET /api/new': () => new Promise(() => {}) })
    const { rerender } = render(<Report path="/api/old" />)
    await statusBecomes('ready 1')
    rerender(<Report path="/api/new" />)
    assert.deepEqual(shown.at(-1), ['/api/new', null])
    assert.equal(shown.filter(([path, sum]) => path === '/api/new' && sum === 1).length, 0)
  })

  test('useApi reads a route again when a person signs in, and shows the last result until the new result arrives', async () => {
    let sum = 1
    serveApp({ 'GET /api/sum': () => ({ sum: sum++ }) })
    render(<Report path="/api/sum" />)
    await statusBecomes('ready 1')
    act(() => reconnectStores())
    assert.equal(statusText(), 'ready 1')
    await statusBecomes('ready 2')
  })

  test('a result that a route returned for one person is not shown to the next person, even if the result arrives late', async () => {
    const { promise, resolve } = Promise.withResolvers<{ sum: number }>()
    const answers: unknown[] = [{ sum: 1 }, promise, { sum: 3 }]
    serveApp({ 'GET /api/sum': () => answers.shift() })
    const { unmount } = render(<Report path="/api/sum" />)
    await statusBecomes('ready 1')
    press('Read again')
    act(() => reconnectStores(true))
    assert.equal(statusText(), 'loading -')
    await statusBecomes('ready 3')
    await act(async () => resolve({ sum: 2 }))
    assert.equal(statusText(), 'ready 3')
    unmount()
    reconnectStores(true)
    assert.deepEqual(answers, [])
  })
})
