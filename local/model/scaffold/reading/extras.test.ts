import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EXTRA_SENTENCES } from '../testing/extra-sentences.ts'
import { readExtra } from './extras.ts'
import { unfulfilledRequests, readIntent } from './intent.ts'
import { PEOPLE_SENTENCES } from '../testing/people-sentences.ts'
import { FIRST_SENTENCES, REMINDER_SENTENCES, SECOND_SENTENCES } from '../testing/sentences.ts'
import {
  withAnswer,
  filesAfterBuild,
  callsOf,
  EMPTY_APP,
  manifestIn,
  openingOf,
  replyTo,
} from '../ticket-fixture.ts'

describe('sentences about summaries, PDF files and visitors', () => {
  test('all extras in a request for a new list are recognized, and none is reported as omitted', () => {
    for (const [said, collection, expected] of EXTRA_SENTENCES) {
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists', said)
      assert.ok(
        intent.wanted.some((one) => one.collection === collection),
        said,
      )
      const extras = intent.extras?.map((extra) => {
        if (extra.is === 'limit') return `limit:${extra.count} a ${extra.window}`
        const detail = extra.is === 'pdf' ? extra.heading : extra.is === 'mail' ? extra.to : null
        return detail === null ? extra.is : `${extra.is}:${detail}`
      })
      assert.equal(extras?.join(' '), expected, said)
      assert.deepEqual(unfulfilledRequests(said, intent), [])
    }
  })

  test('a request to summarize anything but a list is reported as omitted, and a PDF requested twice is built once', () => {
    const said =
      'Track office orders: customer, price. Each order as an invoice PDF, and orders as PDF. Summarize the news.'
    assert.deepEqual(unfulfilledRequests(said, readIntent(said)), ['Summarize the news'])
    const { pages } = manifestIn(filesAfterBuild(said, EMPTY_APP))
    assert.deepEqual(
      pages?.map(({ path }) => path),
      ['/', '/office-orders-pdf'],
    )
  })

  test('a sentence that mentions, rejects or asks about a summary, PDF or visitors does not request them', () => {
    const all = [...FIRST_SENTENCES, ...SECOND_SENTENCES].map(({ said }) => said)
    const more = [
      'Track books: title, summary',
      'Track visitors: name, date',
      'Do not summarize the notes',
      'Upload a PDF of each invoice',
      'What does it mean to summarize a note?',
      'Count visitors: name, day',
    ]
    for (const said of [
      ...all,
      ...PEOPLE_SENTENCES.map(([one]) => one),
      ...REMINDER_SENTENCES.map(([one]) => one),
      ...more,
    ])
      assert.equal(readExtra(said), null, said)
  })
})

describe('summaries and PDF files in an app with lists', () => {
  const orders = filesAfterBuild('Track orders: customer, price', EMPTY_APP)
  const extended = filesAfterBuild('Orders as PDF. Summarize the orders.', orders)

  test('adding summaries and PDF files adds an AI task, a route and two pages to the app, and keeps the routes of the list', () => {
    const { ai, pages, uses } = manifestIn(extended)
    assert.deepEqual(uses, ['data', 'ai', 'render'])
    assert.deepEqual(
      ai?.map(({ task, access }) => [task, access]),
      [['summarizeOrders', 'public']],
    )
    assert.deepEqual(
      pages?.map(({ path }) => path),
      ['/', '/orders-summaries', '/orders-pdf'],
    )
    const routes = extended.get('server/routes.ts') ?? ''
    assert.match(routes, /routes\.get\('\/orders\/:id\/pdf', ordersPdf\)/)
    assert.match(routes, /routes\.patch\('\/orders\/:id'/)
  })

  test('adding summaries and visitor counts enables the capabilities ai and events, and the reply says where to find them', () => {
    const opening = openingOf('Summarize the orders and count visitors', orders, 'data')
    const calls = callsOf(opening)
    assert.deepEqual(
      calls.flatMap(({ args }) => args['key'] ?? []),
      ['ai', 'events'],
    )
    const written = withAnswer(opening, calls, () => 'Done.')
    const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
    const summary = String(callsOf(checked)[0]?.args['summary'])
    assert.match(summary, /^.*page "Order summaries" a button/)
    assert.match(summary, /The views of its pages are counted without cookies/)
  })

  test("summaries and PDF files are updated when their list's fields or access change", () => {
    const renamed = filesAfterBuild('Rename customer to buyer', extended)
    assert.match(renamed.get('server/ordersPdf.ts') ?? '', /\['Buyer', record\.buyer\]/)
    const members = filesAfterBuild('People should sign in', extended)
    const { ai, pages } = manifestIn(members)
    assert.equal(ai?.[0]?.access, 'members')
    assert.deepEqual([...new Set(pages?.map(({ access }) => access))], ['members'])
    assert.doesNotMatch(members.get('server/routes.ts') ?? '', /\bdata\b/)
  })

  test('removing a list removes its summaries and PDF files, and the app keeps a start page', () => {
    const removed = filesAfterBuild('Remove the orders', extended)
    assert.deepEqual(manifestIn(removed).pages, [{ file: 'Home.tsx', title: 'Home', path: '/' }])
    assert.ok(removed.has('web/pages/Home.tsx'))
    const two = filesAfterBuild('Also keep track of suppliers with name', extended)
    const { pages } = manifestIn(filesAfterBuild('Remove the orders', two))
    assert.deepEqual(pages, [{ path: '/', file: 'Suppliers.tsx', title: 'Suppliers' }])
    assert.deepEqual(
      [...removed.keys()].filter((path) => /orders|summar/i.test(path)),
      [],
    )
    assert.equal(manifestIn(removed).ai, undefined)
    assert.doesNotMatch(removed.get('server/routes.ts') ?? '', /Pdf|data/)
  })

  test('a PDF route that the user has edited is not overwritten', () => {
    const mine = 'export const ordersPdf = () => null\n'
    const changed = new Map([...extended, ['server/ordersPdf.ts', mine]])
    const later = filesAfterBuild('Rename customer to buyer', changed)
    assert.equal(later.get('server/ordersPdf.ts'), mine)
    assert.match(later.get('server/routes.ts') ?? '', /ordersPdf/)
    assert.match(replyTo('Orders as PDF', changed).text ?? '', /was changed since I made it/)
  })

  test('when a summary, PDF or visitor count cannot be added, the reply explains why and no file is changed', () => {
    const two = filesAfterBuild('Also keep track of suppliers with name and phone', orders)
    for (const [said, files, words] of [
      ['Summarize the orders', extended, /^The order list has that already/],
      ['Count visitors', filesAfterBuild('Count visitors', orders), /^The app counts its visitors already/],
      ['Summarize each record', two, /^Say of which list, for example: Summarize the orders/],
      ['Summarize the news', orders, /needs an AI model/],
      ['Send me the weather as PDF', orders, /needs an AI model/],
      ['Summarize each order', EMPTY_APP, /needs an AI model/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
  })
})
