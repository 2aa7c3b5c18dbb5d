import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type NewRecordExtra,
  newRecordObstacle,
  hasUneditedAddRoute,
  stopObstacle,
} from './new-record-app.ts'
import { filesAfterBuild, EMPTY_APP, type FixtureFiles, manifestIn } from '../ticket-fixture.ts'

const MAIL: NewRecordExtra = { is: 'mail', collection: 'orders', to: 'shop@example.com' }
const GUARD: NewRecordExtra = { is: 'guard', collection: 'orders' }
const PUSH: NewRecordExtra = { is: 'push', collection: 'orders' }
const LIMIT: NewRecordExtra = { is: 'limit', collection: 'orders', count: 5, window: 'day' }
const EXTRAS = [MAIL, GUARD, PUSH, LIMIT]

const OPEN = filesAfterBuild('Track orders: customer, price', EMPTY_APP)
const appWith = (access: string) => filesAfterBuild(`Track orders: customer, price. ${access}`, EMPTY_APP)
const edited = (path: string, files: FixtureFiles = OPEN) =>
  new Map([...files, [path, `${files.get(path) ?? ''}// mine\n`]])
const obstacles = (files: FixtureFiles, extras = EXTRAS) =>
  extras.map((extra) => newRecordObstacle(files, manifestIn(files), extra))

describe('what prevents adding a mail, bot check, notifications or limit to a list', () => {
  test('a list that everyone may write to can get a mail, a bot check and notifications, but no limit per person', () => {
    assert.deepEqual(obstacles(OPEN), [null, null, null, 'unlimited'])
  })

  test('a list for signed-in people can get a limit per person but no bot check', () => {
    assert.deepEqual(obstacles(appWith('People should sign in')), [null, 'shut', null, null])
  })

  test('a list per team can get no mail, bot check, notifications or limit, and a list per person no notifications', () => {
    assert.deepEqual(
      [obstacles(appWith('Everyone sees only their own.')), obstacles(appWith('Each team sees its own.'))],
      [
        [null, 'shut', 'own', null],
        ['team', 'team', 'team', 'team'],
      ],
    )
  })

  test('a list has one mail address and one limit per person, and a new request replaces them', () => {
    const mailed = filesAfterBuild('Mail shop@example.com when an order comes in', OPEN)
    const limited = filesAfterBuild('Each person may add 5 orders a day', appWith('People should sign in'))
    assert.deepEqual(
      [
        obstacles(mailed, [MAIL, { ...MAIL, to: null }, { ...MAIL, to: 'new@example.com' }]),
        obstacles(OPEN, [{ ...MAIL, to: null }]),
        obstacles(limited, [LIMIT, { ...LIMIT, count: 6 }, { ...LIMIT, window: 'week' }]),
      ],
      [['there', 'there', null], ['no-address'], ['there', null, null]],
    )
  })

  test('a mail, bot check or notifications are refused when the page was edited or a file of the user has a needed path', () => {
    const foreign = ['foreign', 'foreign', 'foreign', 'unlimited']
    assert.deepEqual(
      ['web/pages/Orders.tsx', 'server/addToOrders.ts', 'tests/addToOrders.test.ts'].map((path) =>
        obstacles(edited(path)),
      ),
      [foreign, foreign, foreign],
    )
    assert.deepEqual(
      [obstacles(edited('tests/orders.test.ts')), obstacles(edited('web/pages/OrdersNotifications.tsx'))],
      [
        [null, 'foreign', null, 'unlimited'],
        [null, null, 'foreign', 'unlimited'],
      ],
    )
  })

  test('notifications cannot be added when another list has the name of the collection of subscribers', () => {
    const taken = filesAfterBuild('Also keep track of watchers with name', OPEN)
    assert.deepEqual(obstacles(taken, [MAIL, PUSH]), [null, 'taken'])
  })
})

describe('what prevents removing a mail or notifications', () => {
  const mailed = filesAfterBuild('Mail shop@example.com when an order comes in', OPEN)
  const stop = (files: FixtureFiles, is: NewRecordExtra['is'], collections = ['orders']) =>
    stopObstacle(files, manifestIn(files), { is, collections })

  test('removing mails or notifications is refused when no list has them', () => {
    assert.deepEqual(
      [
        stop(OPEN, 'mail'),
        stop(mailed, 'mail'),
        stop(mailed, 'push'),
        stop(mailed, 'mail', []),
        stop(mailed, 'mail', ['none']),
      ],
      ['none', null, 'none', 'none', 'none'],
    )
  })

  test("removing a list's mails is refused when their route or its test, or the list's page, was edited", () => {
    const paths = ['server/addToOrders.ts', 'tests/addToOrders.test.ts', 'web/pages/Orders.tsx']
    assert.deepEqual(
      paths.map((path) => [
        stop(edited(path, mailed), 'mail'),
        hasUneditedAddRoute(edited(path, mailed), manifestIn(mailed), 'orders'),
      ]),
      [
        ['foreign', false],
        ['foreign', false],
        ['foreign', true],
      ],
    )
    assert.deepEqual(
      [
        hasUneditedAddRoute(mailed, manifestIn(mailed), 'orders'),
        hasUneditedAddRoute(OPEN, manifestIn(OPEN), 'orders'),
      ],
      [true, true],
    )
  })
})
