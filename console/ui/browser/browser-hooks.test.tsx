import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { act } from '@testing-library/react'
import { isShown, show } from '../../testing/console.tsx'
import { afterPaint } from './after-paint.ts'
import { focusField, focusRefusedField } from './focus-field.ts'
import { saveFile } from './save-file.ts'
import { useCountdown } from './use-countdown.ts'
import { useMedia } from './use-media.ts'
import { useNear } from './use-near.ts'

const waiting = (retryAfterMs: number | null) =>
  new SlipwayError('Slowly.', { code: 'rate_limited', status: 429, retryAfterMs })
/** Paints one animation frame: calls the callbacks of `requestAnimationFrame`. */
let paintFrame: () => void

describe('the countdown until a retry is allowed', () => {
  let now = 1000
  beforeEach(() => {
    now = 1000
    mock.timers.enable({ apis: ['setInterval'] })
    mock.method(performance, 'now', () => now)
  })
  afterEach(() => {
    mock.timers.reset()
    mock.restoreAll()
  })
  const Countdown = ({ error }: { error: unknown }) => `${useCountdown(error)} ms left`
  const pass = (ms: number) =>
    act(() => {
      now += ms
      mock.timers.tick(ms)
    })

  test('the countdown for an error with `Retry-After` ends at zero', () => {
    show(<Countdown error={waiting(1200)} />)
    assert.ok(isShown('1200 ms left'))
    pass(500)
    assert.ok(isShown('700 ms left'))
    pass(1000)
    assert.ok(isShown('0 ms left'))
    pass(5000)
    assert.ok(isShown('0 ms left'))
  })

  test('no countdown is shown without an error, or for an error that does not say when to retry', () => {
    const { rerender } = show(<Countdown error={waiting(null)} />)
    for (const error of [null, undefined, new Error('x'), waiting(0)]) {
      rerender(<Countdown error={error} />)
      assert.ok(isShown('0 ms left'))
    }
  })

  test('the next error with `Retry-After` begins a new countdown, even when its value is the same', () => {
    const { rerender } = show(<Countdown error={waiting(2000)} />)
    pass(1500)
    assert.ok(isShown('500 ms left'))
    rerender(<Countdown error={waiting(2000)} />)
    assert.ok(isShown('2000 ms left'))
    pass(500)
    assert.ok(isShown('1500 ms left'))
  })

  test('a retry countdown shows the time that is really left, even in a tab whose timers the browser slows down', () => {
    show(<Countdown error={waiting(60_000)} />)
    now += 59_000
    act(() => mock.timers.tick(500))
    assert.ok(isShown('1000 ms left'))
  })
})

describe('waiting for the next paint', () => {
  beforeEach(() => {
    let waitingFrames = new Map<number, FrameRequestCallback>()
    let last = 0
    mock.method(globalThis, 'requestAnimationFrame', (run: FrameRequestCallback) => {
      waitingFrames.set(++last, run)
      return last
    })
    mock.method(globalThis, 'cancelAnimationFrame', (id: number) => void waitingFrames.delete(id))
    paintFrame = () => {
      const frames = waitingFrames
      waitingFrames = new Map()
      for (const run of frames.values()) run(0)
    }
  })
  afterEach(() => mock.restoreAll())

  test('a function that waits for the next paint runs once, after one frame was painted', () => {
    let runs = 0
    afterPaint(() => runs++)
    paintFrame()
    assert.equal(runs, 0)
    paintFrame()
    paintFrame()
    assert.equal(runs, 1)
  })

  test('a function that waits for the next paint can be cancelled before and after the first frame', () => {
    let runs = 0
    const cancelEarly = afterPaint(() => runs++)
    const cancelLate = afterPaint(() => runs++)
    cancelEarly()
    paintFrame()
    cancelLate()
    paintFrame()
    paintFrame()
    assert.equal(runs, 0)
  })
})

describe('the first field with a problem', () => {
  test('focusing a form field by its name moves the focus to it, and an unknown name leaves the focus where it is', () => {
    show(
      <>
        <input name="email" aria-label="Outside" />
        <form>
          <input name="email" aria-label="Inside" />
        </form>
      </>,
    )
    const form = document.querySelector('form') as HTMLFormElement
    focusField(form, 'email')
    assert.equal(document.activeElement?.getAttribute('aria-label'), 'Inside')
    focusField(form, undefined)
    focusField(form, 'password')
    assert.equal(document.activeElement?.getAttribute('aria-label'), 'Inside')
  })
})

describe('a field that an error of the service names', () => {
  const refusal = (code: string, message: string) => new SlipwayError(message, { code, status: 400 })

  test('only an invalid_request error whose message begins with the name of a form field moves the focus', () => {
    show(
      <form>
        <input name="email" aria-label="E-mail" />
        <input name="a[0].b" aria-label="Odd" />
        <button type="submit">Send</button>
      </form>,
    )
    const form = document.querySelector('form') as HTMLFormElement
    const focusAfter = (error: unknown) => {
      form.querySelector('button')?.focus()
      focusRefusedField(form, error)
      return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
    }
    assert.equal(focusAfter(refusal('invalid_request', 'email: is taken')), 'E-mail')
    assert.equal(focusAfter(refusal('invalid_request', 'a[0].b: is taken')), 'Odd')
    assert.equal(focusAfter(refusal('conflict', 'email: is taken')), 'Send')
    assert.equal(focusAfter(refusal('invalid_request', 'name: is taken')), 'Send')
    assert.equal(focusAfter(refusal('invalid_request', 'is taken')), 'Send')
    assert.equal(focusAfter(new Error('email: is taken')), 'Send')
  })
})

describe('a file that is saved', () => {
  const { createObjectURL, revokeObjectURL } = URL
  afterEach(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL })
    mock.restoreAll()
    mock.timers.reset()
  })

  test('a download is saved under its name, and its object URL is revoked after the browser has begun to read it', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const did: string[] = []
    Object.assign(URL, {
      createObjectURL: () => 'blob:http://console.test/1',
      revokeObjectURL: (url: string) => did.push(`released ${url}`),
    })
    mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      did.push(`${this.download} from ${this.href}`)
    })
    saveFile('codes – größe.txt', new Blob(['x']))
    assert.deepEqual(did, ['codes – größe.txt from blob:http://console.test/1'])
    mock.timers.tick(0)
    assert.equal(did.at(-1), 'released blob:http://console.test/1')
  })
})

describe('a media query', () => {
  afterEach(() => mock.restoreAll())

  test('a component follows a media query while it is mounted, and stops listening to a query that it no longer uses', () => {
    const lists = new Map<string, { matches: boolean; listeners: Set<() => void> }>()
    const listOf = (query: string) => {
      const list = lists.get(query) ?? { matches: query.includes('dark'), listeners: new Set<() => void>() }
      lists.set(query, list)
      return list
    }
    mock.method(globalThis, 'matchMedia', (query: string) => {
      const list = listOf(query)
      return {
        matches: list.matches,
        addEventListener: (_type: string, listener: () => void) => list.listeners.add(listener),
        removeEventListener: (_type: string, listener: () => void) => list.listeners.delete(listener),
      }
    })
    const Query = ({ query }: { query: string }) => (useMedia(query) ? 'matches' : 'differs')
    const { rerender, unmount } = show(<Query query="(wide)" />)
    assert.ok(isShown('differs'))
    act(() => {
      listOf('(wide)').matches = true
      for (const listener of listOf('(wide)').listeners) listener()
    })
    assert.ok(isShown('matches'))
    rerender(<Query query="(light)" />)
    assert.ok(isShown('differs'))
    assert.equal(listOf('(wide)').listeners.size, 0)
    unmount()
    assert.equal(listOf('(light)').listeners.size, 0)
  })
})

describe('an element near the visible part of the page', () => {
  const original = globalThis.IntersectionObserver
  afterEach(() => void Object.assign(globalThis, { IntersectionObserver: original }))

  test('an element that was once near the visible area counts as near from then on, so that its content is not removed', () => {
    let report: (...near: boolean[]) => void = () => {}
    let isWatched = false
    class FakeObserver {
      constructor(call: (entries: { isIntersecting: boolean }[]) => void) {
        report = (...near) => act(() => call(near.map((isIntersecting) => ({ isIntersecting }))))
      }
      observe = () => void (isWatched = true)
      disconnect = () => void (isWatched = false)
    }
    Object.assign(globalThis, { IntersectionObserver: FakeObserver })
    function Box() {
      const [box, isNear] = useNear()
      return <div ref={box}>{isNear ? 'near' : 'far'}</div>
    }
    const { unmount } = show(<Box />)
    assert.ok(isShown('far') && isWatched)
    report(false)
    assert.ok(isShown('far'))
    report(false, true)
    assert.ok(isShown('near'))
    report(false)
    assert.ok(isShown('near'))
    unmount()
    assert.equal(isWatched, false)
  })
})
