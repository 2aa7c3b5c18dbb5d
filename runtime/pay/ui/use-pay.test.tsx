import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { auth } from '../../auth/client.ts'
import { act, RefusedResponse, render, screen, serveApp } from '../../testing/kit.test.fixture.tsx'
import { useEntitled, useProducts } from './use-pay.ts'

const READ = 'GET /_app/pay/entitlements'
const BUSY = new RefusedResponse('unavailable', 'The app is busy.')
const owned = (...ids: string[]) =>
  ids.map((productId) => ({ productId, kind: 'once', since: '2026-11-20T10:00:00.000Z', until: null }))

function Page() {
  const isEntitled = useEntitled('book')
  return (
    <output>{isEntitled === undefined ? 'loading' : isEntitled ? 'has the book' : 'may buy the book'}</output>
  )
}
function Shop() {
  const products = useProducts()
  return <output>{products === undefined ? 'loading' : products.map(({ name }) => name).join(', ')}</output>
}
const shown = () => screen.getByRole('status').textContent
/** Waits for the next read of the hook and its response. */
const nextRead = () => act(async () => mock.timers.tick(2000))

/** Opens a page as a person. Each read of the person's purchases returns the next of `answers`. */
async function open({
  at = '/',
  person = 'u_ada',
  answers,
}: {
  at?: string
  person?: string | null
  answers: unknown[]
}) {
  history.replaceState(null, '', at)
  const user = person === null ? null : { id: person }
  const calls = serveApp({
    'GET /_app/auth/me': () => user,
    'POST /_app/auth/sign-in': ({ body }) => ({ user: { id: (body as { email: string }).email } }),
    'POST /_app/auth/sign-out': () => null,
    [READ]: () => answers.shift(),
  })
  // The auth client caches the person for all tests of this process.
  await auth.me()
  render(<Page />)
  await act(async () => {})
  return { reads: () => calls[READ]?.length }
}

describe('what a person has bought, on a page of an app', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('a page shows whether the signed-in person has bought a product after one request to the app', async () => {
    const { reads } = await open({ answers: [owned('pen', 'book')] })
    assert.equal(shown(), 'has the book')
    await nextRead()
    assert.equal(reads(), 1)
  })

  test('a visitor is shown as not having bought anything, without a request to the app', async () => {
    const { reads } = await open({ person: null, answers: [] })
    assert.deepEqual([shown(), reads()], ['may buy the book', 0])
  })

  test('while the app is briefly unreachable, a person who has paid is not shown as one who has not', async () => {
    await open({ answers: [BUSY, BUSY, owned('book')] })
    assert.equal(shown(), 'loading')
    await nextRead()
    assert.equal(shown(), 'loading')
    await nextRead()
    assert.equal(shown(), 'has the book')
  })

  test('an app in which payments are off shows that nothing was bought, and does not ask again', async () => {
    const { reads } = await open({
      answers: [new RefusedResponse('not_enabled', 'The capability pay is off.')],
    })
    assert.equal(shown(), 'may buy the book')
    await nextRead()
    assert.equal(reads(), 1)
  })

  test('after a return from the payment page a product appears as soon as its payment is confirmed', async () => {
    await open({ at: '/?order=open', answers: [[], [], owned('book')] })
    await nextRead()
    assert.equal(shown(), 'may buy the book')
    await nextRead()
    assert.equal(shown(), 'has the book')
  })

  test('a second product of a person who already owns one appears without a reload once its payment is confirmed', async () => {
    const { reads } = await open({
      at: '/?order=open',
      answers: [owned('pen'), owned('pen'), owned('pen', 'book')],
    })
    assert.equal(shown(), 'may buy the book')
    await nextRead()
    await nextRead()
    assert.equal(shown(), 'has the book')
    await nextRead()
    assert.equal(reads(), 3)
  })

  test('a page stops polling for a payment that is not confirmed within a minute', async () => {
    const { reads } = await open({ at: '/?order=open', answers: Array.from({ length: 50 }, () => []) })
    for (let n = 0; n < 50; n++) await nextRead()
    assert.equal(reads(), 30)
  })

  test('after another person signs in, the purchases of the previous person are hidden while the new ones load', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await open({ answers: [owned('book'), promise] })
    assert.equal(shown(), 'has the book')
    await act(async () => void (await auth.signIn({ email: 'u_ben', password: 'x' })))
    assert.equal(shown(), 'loading')
    await act(async () => resolve([]))
    assert.equal(shown(), 'may buy the book')
  })

  test('purchases that arrive after their buyer has signed out are not shown', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await open({ answers: [promise] })
    await act(() => auth.signOut())
    await act(async () => resolve(owned('book')))
    assert.equal(shown(), 'may buy the book')
  })
})

describe('what an app sells, on a page of the app', () => {
  test('a page shows the products for sale once they are loaded', async () => {
    serveApp({ 'GET /_app/pay/products': () => [{ name: 'Book' }, { name: 'Pen' }] })
    render(<Shop />)
    assert.equal(shown(), 'loading')
    await act(async () => {})
    assert.equal(shown(), 'Book, Pen')
  })

  test('a page shows no products while the app has no payment key', async () => {
    serveApp({
      'GET /_app/pay/products': () => new RefusedResponse('not_enabled', 'Give the capability pay a key.'),
    })
    render(<Shop />)
    await act(async () => {})
    assert.equal(shown(), '')
  })
})
