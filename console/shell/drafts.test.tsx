import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { queryClient } from '../api/request/query-client.ts'
// The imported module signs a user in, and clears the storage after each test.
import { signInAs } from '../testing/console.tsx'
import { clearDrafts, onDraftsCleared, removeOldDrafts } from './clear-drafts.ts'
import { openDraft } from './drafts.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Replaces methods of the browser's storage during `act`. */
function withStorage(broken: Partial<Storage>, act: () => void): void {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  const stand = new Proxy(localStorage, {
    get: (target, name) => Reflect.get(broken, name) ?? Reflect.get(target, name).bind(target),
  })
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: stand })
  try {
    act()
  } finally {
    if (real) Object.defineProperty(globalThis, 'localStorage', real)
  }
}

describe('unsent input of the console', () => {
  test('a draft is stored for one field only, and an emptied draft is removed', () => {
    const draft = openDraft('plan', 'prj_1')
    draft.store('a shop')
    assert.equal(openDraft('plan', 'prj_1').read(), 'a shop')
    assert.equal(openDraft('plan', 'prj_2').read(), '')
    assert.equal(openDraft('ticket', 'prj_1').read(), '')
    draft.store('')
    assert.equal(draft.read(), '')
    assert.equal(localStorage.length, 0)
  })

  test('a draft of 262,144 characters is stored, and a longer draft is not stored and removes the earlier draft', () => {
    const draft = openDraft('plan', 'prj_1')
    draft.store('x'.repeat(262_144))
    assert.equal(draft.read().length, 262_144)
    draft.store('x'.repeat(262_145))
    assert.equal(draft.read().length, 0)
  })

  test('a draft is not shown to another user of the browser, or in another organization of the same user', () => {
    openDraft('new-project').store('a shop')
    signInAs('usr_bob')
    assert.equal(openDraft('new-project').read(), '')
    signInAs('usr_ada', 'org_2')
    assert.equal(openDraft('new-project').read(), '')
    signInAs()
    assert.equal(openDraft('new-project').read(), 'a shop')
  })

  test('a form that was opened before another user signed in in another tab stores its draft for the first user', () => {
    const draft = openDraft('new-project')
    signInAs('usr_bob')
    draft.store('a shop')
    assert.equal(openDraft('new-project').read(), '')
    signInAs()
    assert.equal(openDraft('new-project').read(), 'a shop')
  })

  test('while the user is unknown, no draft is stored or read', () => {
    openDraft('new-project').store('a shop')
    queryClient.clear()
    const draft = openDraft('new-project')
    assert.equal(draft.read(), '')
    draft.store('a list')
    assert.equal(localStorage.length, 1)
  })

  test('sending a text does not remove a draft that another tab has changed meanwhile', () => {
    const [tab, other] = [openDraft('plan', 'prj_1'), openDraft('plan', 'prj_1')]
    tab.store('a shop')
    assert.equal(other.read(), 'a shop')
    other.store('a shop for plants')
    tab.store('')
    assert.equal(openDraft('plan', 'prj_1').read(), 'a shop for plants')
    other.store('')
    assert.equal(localStorage.length, 0)
  })

  test('30-day-old drafts are not restored, and the clean-up removes them and drafts in an older format', () => {
    openDraft('plan', 'prj_1').store('a shop')
    localStorage.setItem('slipway.draft.plan.prj_1', 'without its user')
    localStorage.setItem('slipway.theme', 'dark')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 29 * DAY_MS })
    try {
      removeOldDrafts()
      assert.equal(openDraft('plan', 'prj_1').read(), 'a shop')
      assert.equal(localStorage.length, 2)
      mock.timers.setTime(Date.now() + DAY_MS)
      assert.equal(openDraft('plan', 'prj_1').read(), '')
      removeOldDrafts()
    } finally {
      mock.timers.reset()
    }
    assert.deepEqual(Object.keys(localStorage), ['slipway.theme'])
  })

  test('while storage is full, typing works and the last stored text is kept until the draft is sent', () => {
    const draft = openDraft('plan', 'prj_1')
    draft.store('a shop')
    const setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    withStorage({ setItem }, () => draft.store('a shop for plants'))
    assert.equal(openDraft('plan', 'prj_1').read(), 'a shop')
    draft.store('')
    assert.equal(localStorage.length, 0)
  })

  test('in a browser that blocks storage, typing and signing out still work', () => {
    const forbid = () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    }
    withStorage({ getItem: forbid, setItem: forbid, removeItem: forbid }, () => {
      const draft = openDraft('plan', 'prj_1')
      draft.store('a shop')
      draft.store('')
      assert.equal(draft.read(), '')
      removeOldDrafts()
      clearDrafts('usr_ada')
    })
  })

  test('a sign-out removes only the drafts of the user, in storage and in memory', () => {
    let forgotten = 0
    onDraftsCleared(() => (forgotten += 1))
    localStorage.setItem('slipway.theme', 'dark')
    localStorage.setItem('slipway.recent', '[]')
    openDraft('plan', 'prj_1').store('a shop')
    signInAs('usr_ada', 'org_2')
    openDraft('ticket', 'prj_2').store('a title')
    signInAs('usr_bob')
    openDraft('plan', 'prj_1').store('a list')
    clearDrafts('usr_ada')
    assert.equal(openDraft('plan', 'prj_1').read(), 'a list')
    assert.equal(localStorage.getItem('slipway.theme'), 'dark')
    assert.equal(localStorage.length, 2)
    assert.equal(forgotten, 1)
  })

  test('a sign-out of an unknown user removes the drafts of all users', () => {
    openDraft('plan', 'prj_1').store('a shop')
    clearDrafts(undefined)
    assert.equal(localStorage.length, 0)
  })
})
