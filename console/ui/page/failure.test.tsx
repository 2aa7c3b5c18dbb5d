import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectionError, SlipwayError } from '@slipway/sdk/errors.ts'
import { screen } from '@testing-library/react'
import { autoRetries } from '../../api/request/auto-retries.ts'
import { button, isShown, press, show } from '../../testing/console.tsx'
import { FailureNote, LoadFailure } from './failure.tsx'

const refusedError = (part: Partial<ConstructorParameters<typeof SlipwayError>[1]> = {}, message = 'No.') =>
  new SlipwayError(message, { code: 'conflict', status: 409, requestId: 'req_9', ...part })
const retryButton = () => button(/try again|trying again/i) as HTMLButtonElement

describe('the note of an error', () => {
  test('an error note shows the message, the error code and the request id', () => {
    show(<FailureNote title="Not saved" error={refusedError({}, 'A build is running.')} />)
    const note = screen.getByRole('alert')
    assert.match(note.textContent ?? '', /Not saved.*A build is running\..*conflict.*req_9/)
    assert.ok(button('Copy the request id'))
    assert.ok(screen.queryByRole('button', { name: 'Try again' }) === null)
  })

  test('markup in a message of the service or a provider is shown as text, even in a long message', () => {
    const hostile = `<img src=x onerror="alert(1)"> \u202E${'x'.repeat(10_000)}`
    const { container } = show(<FailureNote error={refusedError({}, hostile)} />)
    assert.ok(container.querySelector('img') === null)
    assert.ok(isShown(hostile))
  })

  test("the message of a model provider is collapsed under the console's own error message", () => {
    show(<FailureNote error={refusedError({ code: 'model_error', status: 502 }, 'overloaded_error')} />)
    assert.ok(isShown('The model returned no usable response.'))
    assert.ok(screen.getByText('overloaded_error').closest('details'))
  })

  test('an error for a missing model links to the model settings, and one for a required payment to the billing settings', () => {
    show(<FailureNote error={refusedError({ code: 'model_required' })} />)
    show(<FailureNote error={refusedError({ code: 'payment_required', status: 402 })} />)
    const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    assert.deepEqual(hrefs, ['/settings/models', '/settings/billing'])
  })

  test("the error note for an exception in the console's own code hides the details and suggests a reload", () => {
    show(<FailureNote error={new TypeError('x.map is not a function')} />)
    const words = screen.getByRole('alert').textContent ?? ''
    assert.doesNotMatch(words, /x\.map/)
    assert.match(words, /Reload it/)
    assert.ok(screen.queryByRole('button') === null)
  })

  test('after a lost connection the retry button of the error note can be used at once', () => {
    let tries = 0
    show(<FailureNote error={new ConnectionError('fetch failed')} onRetry={() => tries++} />)
    press('Try again')
    assert.equal(tries, 1)
  })

  test('a failed query without data shows an error and a retry, and a failed refetch shows no error', () => {
    let reads = 0
    const refetch = async () => void reads++
    const failed = {
      isError: true,
      error: refusedError({ code: 'unavailable', status: 503 }),
      refetch,
    } as never
    show(<LoadFailure query={Object.assign({ data: [1] }, failed)} />)
    assert.ok(screen.queryByRole('alert') === null)
    show(<LoadFailure query={Object.assign({ data: undefined }, failed)} />)
    assert.ok(isShown('This could not be loaded'))
    press('Try again')
    assert.equal(reads, 1)
  })

  test("a rate-limited write is not retried automatically, and its retry button is disabled until the service's wait ends", () => {
    let tries = 0
    const wait = { code: 'rate_limited', status: 429, retryAfterMs: 42_000 }
    const write = refusedError({ ...wait, method: 'POST', path: '/api/v1/projects' })
    show(<FailureNote error={write} onRetry={() => tries++} />)
    assert.deepEqual([retryButton().textContent, retryButton().disabled], ['Try again in 42 s', true])
    press(/Try again in/)
    assert.equal(tries, 0)
  })

  test('a rate-limited read counts down to an automatic retry the first time, and to a manual retry the second time', () => {
    const read = refusedError({
      code: 'rate_limited',
      status: 429,
      retryAfterMs: 42_000,
      path: '/api/v1/x',
      method: 'GET',
    })
    const { unmount } = show(<FailureNote error={read} onRetry={() => {}} />)
    assert.equal(retryButton().textContent, 'Trying again in 42 s')
    unmount()
    autoRetries.record(read, Date.now())
    show(<FailureNote error={read} onRetry={() => {}} />)
    assert.equal(retryButton().textContent, 'Try again in 42 s')
  })

  test('an error note with `takeFocus` takes the focus for each new error, but not when the same error is rendered again', () => {
    const Page = ({ error }: { error: unknown }) => (
      <>
        <button type="button">Send</button>
        <FailureNote error={error} takeFocus />
      </>
    )
    const first = refusedError()
    const { rerender } = show(<Page error={first} />)
    const focusedNote = () => document.activeElement === screen.getByRole('alert')
    assert.ok(focusedNote())
    button('Send').focus()
    rerender(<Page error={first} />)
    assert.ok(!focusedNote())
    rerender(<Page error={refusedError()} />)
    assert.ok(focusedNote())
  })
})
