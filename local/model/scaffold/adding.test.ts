import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIntent } from './reading/intent.ts'
import {
  withAnswer,
  filesAfterBuild,
  callsOf,
  EMPTY_APP,
  type FixtureFiles,
  manifestIn,
  openingOf,
  replyTo,
} from './ticket-fixture.ts'

const orders = filesAfterBuild('Track orders: customer, email, price', EMPTY_APP)
const lists = manifestIn(orders).collections ?? {}

/** Returns the capabilities that the build of a request enables, and its summary after a successful check. */
function builtOf(said: string, files: FixtureFiles): { keys: unknown[]; summary: string } {
  const opening = openingOf(said, files, 'data')
  const calls = callsOf(opening)
  const written = withAnswer(opening, calls, () => 'Done.')
  const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
  return {
    keys: calls.flatMap(({ args }) => args['key'] ?? []),
    summary: String(callsOf(checked)[0]?.args['summary']),
  }
}

describe('a mail about each new record', () => {
  const mailed = filesAfterBuild('Mail shop@example.com when an order comes in', orders)

  test('a request for a mail about each new record is recognized in various wordings, wherever the address is in the sentence', () => {
    for (const said of [
      'Mail shop@example.com when an order comes in',
      'When somebody orders, send a mail to shop@example.com.',
      'Send an e-mail to shop@example.com for each new order',
      'Notify shop@example.com about new orders',
      'Could you please send a mail to shop@example.com as soon as there is a new order?',
      'whenever an order is placed, email shop@example.com',
    ])
      assert.deepEqual(
        readIntent(said, lists),
        { kind: 'extras', extras: [{ is: 'mail', collection: 'orders', to: 'shop@example.com' }] },
        said,
      )
  })

  test('a request for a mail about another event, or to an unclear address, is not mistaken for a mail about new records', () => {
    for (const said of [
      'Mail the customer when the order is shipped',
      'Mail shop@example.com when somebody cancels an order',
      'Send me an e-mail every morning with the orders',
      'Do not mail shop@example.com when an order comes in',
      "Mail o'brien@example.com when an order comes in",
      'Mail jörg@example.com when an order comes in',
      'Why does it mail shop@example.com when an order comes in?',
    ])
      assert.notEqual(readIntent(said, lists).kind, 'extras', said)
  })

  test("a list's form with mails about new records posts to a route that stores the record before it sends the mail", () => {
    assert.deepEqual(manifestIn(mailed).uses, ['data', 'email'])
    assert.match(
      mailed.get('web/pages/Orders.tsx') ?? '',
      /onSubmit=\{\(input\) => api\.post\('\/api\/orders', input\)\}/,
    )
    const routes = mailed.get('server/routes.ts') ?? ''
    assert.match(routes, /routes\.post\('\/orders', addToOrders\)/)
    assert.match(routes, /routes\.patch\('\/orders\/:id'/)
    const handler = mailed.get('server/addToOrders.ts') ?? ''
    assert.ok(handler.indexOf('.create(') < handler.indexOf('email.send('))
    assert.match(handler, /replyTo: record\.email \?\? undefined/)
  })

  test('a mail for new records enables the capability email, and the summary says that it needs a verified domain', () => {
    const { keys, summary } = builtOf('Mail shop@example.com when an order comes in', orders)
    assert.deepEqual(keys, ['email'])
    assert.match(summary, /^Each new order is mailed to shop@example\.com, at most as often a day/)
    assert.match(summary, /Mail waits until you have verified a domain/)
  })

  test('the mail about new records is updated when a field, the access or the address changes, and removed with the list', () => {
    const renamed = filesAfterBuild('Rename customer to buyer', mailed)
    assert.match(renamed.get('server/addToOrders.ts') ?? '', /\['Buyer', record\.buyer\]/)
    assert.match(renamed.get('tests/addToOrders.test.ts') ?? '', /\{ buyer: 'First' \}/)
    const members = filesAfterBuild('People should sign in', renamed)
    assert.match(members.get('tests/addToOrders.test.ts') ?? '', /await ada\.post/)
    assert.match(members.get('server/routes.ts') ?? '', /addToOrders/)
    const moved = filesAfterBuild('Mail new@example.com when an order comes in', members)
    assert.match(moved.get('server/addToOrders.ts') ?? '', /'new@example\.com'/)
    assert.equal(moved.get('server/routes.ts')?.match(/addToOrders\)/g)?.length, 1)
    const removed = filesAfterBuild('Remove the orders', moved)
    assert.deepEqual(
      [...removed.keys()].filter((path) => /orders/i.test(path)),
      [],
    )
    assert.doesNotMatch(removed.get('server/routes.ts') ?? '', /addTo/)
  })

  test('a list is built without the requested mail when the request contains no address, and the summary asks for one', () => {
    const said = 'Track orders: customer, price. Send me a mail when somebody orders.'
    const { keys, summary } = builtOf(said, EMPTY_APP)
    assert.deepEqual(keys, [])
    assert.match(summary, /No mail is sent yet: say to which address, for example: Mail shop@example\.com/)
    assert.equal(filesAfterBuild(said, EMPTY_APP).has('server/addToOrders.ts'), false)
  })

  test('when a mail about new records cannot be added, the reply explains why and no file is changed', () => {
    const mine = new Map([...mailed, ['server/addToOrders.ts', 'export const addToOrders = () => null\n']])
    const page = new Map([...orders, ['web/pages/Orders.tsx', 'export default () => null\n']])
    const two = filesAfterBuild('Also keep track of suppliers with name and phone', orders)
    for (const [said, files, words] of [
      ['Send me a mail when somebody orders', orders, /^No mail is sent yet: say to which address/],
      ['Mail shop@example.com when an order comes in', mailed, /^The order list has that already/],
      ['Mail shop@example.com when an order comes in', mine, /was changed since I made it/],
      ['Mail shop@example.com when an order comes in', page, /was changed since I made it/],
      ['Mail shop@example.com when somebody adds something', two, /^Say of which list, for example: Mail/],
      ['Mail shop@example.com when a train arrives', orders, /needs an AI model/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
  })
})

describe('a form that is protected from bots', () => {
  const contacts = filesAfterBuild('A contact form with name, email and message', EMPTY_APP)
  const guarded = filesAfterBuild('Protect the contact form from bots', contacts)

  test('a request to protect a form from bots is recognized in everyday words', () => {
    for (const said of [
      'Protect the contact form from bots',
      'protect the form from spam',
      'Could you add a captcha to the form?',
      'Please keep spammers away from the contact form.',
      'The contacts need bot protection',
    ])
      assert.deepEqual(
        readIntent(said, manifestIn(contacts).collections ?? {}),
        { kind: 'extras', extras: [{ is: 'guard', collection: 'contacts' }] },
        said,
      )
    for (const said of [
      'Track robots: name, owner',
      'Protect my data',
      'Keep track of bots with name and price',
    ])
      assert.notEqual(readIntent(said, manifestIn(contacts).collections ?? {}).kind, 'extras', said)
  })

  test('a list with a bot-protected form gets new records only through a route that checks for bots', () => {
    const { collections, uses } = manifestIn(guarded)
    assert.deepEqual(uses, ['data', 'guard'])
    assert.deepEqual(
      [collections?.['contacts']?.read, collections?.['contacts']?.write],
      ['public', 'nobody'],
    )
    const handler = guarded.get('server/addToContacts.ts') ?? ''
    assert.ok(handler.indexOf("guard.verify(c.req.raw, 'contacts')") < handler.indexOf('data.system.create('))
    assert.match(guarded.get('tests/contacts.test.ts') ?? '', /await app\.post\('\/api\/contacts'/)
    const { keys, summary } = builtOf('Protect the contact form from bots', contacts)
    assert.deepEqual(keys, ['guard'])
    assert.match(summary, /^Only people add contacts: what programs send to the form is refused\./)
  })

  test('a form keeps its bot check when a mail is added, a field is renamed or only signed-in people may add records', () => {
    const mailed = filesAfterBuild('Mail shop@example.com when somebody adds a contact', guarded)
    const renamed = filesAfterBuild('Rename name to full name', mailed)
    const handler = renamed.get('server/addToContacts.ts') ?? ''
    assert.match(handler, /import \{ data, email, guard \}/)
    assert.match(handler, /record\.fullName/)
    assert.match(renamed.get('tests/contacts.test.ts') ?? '', /app\.post\('\/api\/contacts', \{ fullName/)
    const members = filesAfterBuild('People should sign in', renamed)
    assert.equal(manifestIn(members).collections?.['contacts']?.write, 'members')
    assert.match(
      members.get('server/addToContacts.ts') ?? '',
      /guard\.verify[^]*data\.as\(c\.req\.raw\)\.create/,
    )
  })

  test('the reply explains why a list with sign-in, manual edits or a bot check gets no bot check', () => {
    const members = filesAfterBuild('People should sign in', contacts)
    const mine = new Map([...contacts, ['tests/contacts.test.ts', 'export {}\n']])
    for (const [said, files, words] of [
      ['Protect the contact form from bots', members, /^Only people who are signed in add contacts/],
      ['Protect the contact form from bots', mine, /was changed since I made it/],
      ['Protect the contact form from bots', guarded, /^The contact list has that already/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
    const said = 'Track books: title. People should sign in. Protect the form from bots.'
    const { keys, summary } = builtOf(said, EMPTY_APP)
    assert.deepEqual(keys, ['auth'])
    assert.match(summary, /Only people who are signed in add books, so that the form needs no protection/)
  })
})

describe('notifications of each new record', () => {
  const watched = filesAfterBuild('Notify me on my phone when an order comes in', orders)

  test('a request for notifications of new records is recognized in everyday words', () => {
    for (const said of [
      'Notify me on my phone when an order comes in',
      'When somebody orders, send me a push notification.',
      'Push notifications for each new order',
      'please tell us whenever a new order is placed',
      'We want to be notified as soon as there is a new order',
    ])
      assert.deepEqual(
        readIntent(said, lists),
        { kind: 'extras', extras: [{ is: 'push', collection: 'orders' }] },
        said,
      )
    for (const said of [
      'Notify me when an order is late',
      'Push the button',
      'Alert me if the price is high',
    ])
      assert.notEqual(readIntent(said, lists).kind, 'extras', said)
  })

  test('each person turns on notifications on a page, and only that person can read this setting', () => {
    const { collections, pages, uses } = manifestIn(watched)
    assert.deepEqual(uses, ['data', 'auth', 'push'])
    assert.deepEqual(pages?.at(-1), {
      path: '/orders-notifications',
      file: 'OrdersNotifications.tsx',
      title: 'Order notifications',
      access: 'members',
    })
    const { read, write } = collections?.['watchers'] ?? {}
    assert.deepEqual([read, write], ['owner', 'owner'])
    const handler = watched.get('server/addToOrders.ts') ?? ''
    assert.ok(handler.indexOf('.create(') < handler.indexOf('await notify('))
    const { keys, summary } = builtOf('Notify me on my phone when an order comes in', orders)
    assert.deepEqual(keys, ['auth', 'push'])
    assert.match(summary, /^On the page "Order notifications" people who are signed in/)
  })

  test('lists with notifications share one collection of subscribers, which the user cannot remove like a list', () => {
    const two = filesAfterBuild('Also keep track of suppliers with name and phone', watched)
    const both = filesAfterBuild('Notify me when a supplier is added', two)
    const { pages, collections } = manifestIn(both)
    assert.deepEqual(Object.keys(collections ?? {}), ['orders', 'suppliers', 'watchers'])
    assert.deepEqual(pages?.map(({ path }) => path).slice(-2), [
      '/orders-notifications',
      '/suppliers-notifications',
    ])
    assert.match(replyTo('Remove the watchers', both).text ?? '', /It has: orders, suppliers\./)
  })

  test('removing the only list with notifications also removes the collection that stores the subscribers', () => {
    const removed = filesAfterBuild('Remove the orders', filesAfterBuild('Rename customer to buyer', watched))
    const { collections, migrations, pages } = manifestIn(removed)
    assert.deepEqual(collections, {})
    assert.deepEqual(
      migrations?.map(({ id }) => id),
      ['0001-rename-orders', '0002-drop-orders', '0003-drop-watchers'],
    )
    assert.deepEqual(
      pages?.map(({ file }) => file),
      ['Home.tsx'],
    )
    assert.deepEqual(
      [...removed.keys()].filter((path) => /orders/i.test(path)),
      [],
    )
  })

  test('when notifications cannot be added the reply explains why, and a new list is built without them', () => {
    const mine = filesAfterBuild('Also keep track of watchers with name', orders)
    for (const [said, files, words] of [
      ['Notify me when an order comes in', watched, /^The order list has that already/],
      ['Notify me when an order comes in', mine, /^The app has a list of watchers of its own/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
    const own = 'Track notes: title. Everyone sees only their own. Notify me when a note is added.'
    assert.deepEqual(builtOf(own, EMPTY_APP).keys, ['auth'])
    assert.match(builtOf(own, EMPTY_APP).summary, /The notes belong to single people/)
    const taken = 'Track watchers: name. Notify me when a watcher is added.'
    assert.deepEqual(
      Object.keys(manifestIn(filesAfterBuild(taken, EMPTY_APP)).collections?.['watchers']?.fields ?? {}),
      ['name'],
    )
    assert.match(builtOf(taken, EMPTY_APP).summary, /The app has a list of watchers of its own/)
  })
})

describe('stopping mails, bot checks and notifications', () => {
  const said = {
    mail: 'Mail shop@example.com when an order comes in',
    guard: 'Protect the order form from bots',
    push: 'Notify me when an order comes in',
  }
  const all = Object.values(said).reduce((files, one) => filesAfterBuild(one, files), new Map(orders))

  test('a request to stop mails, bot checks or notifications is not mistaken for the removal of a field or a list', () => {
    for (const [one, is] of [
      ['Stop mailing me', 'mail'],
      ['Please stop the mails about orders.', 'mail'],
      ["Don't mail us any more", 'mail'],
      ['Remove the bot protection', 'guard'],
      ['Turn off the captcha', 'guard'],
      ['No more notifications', 'push'],
      ['Stop notifying me of orders', 'push'],
    ] as const)
      assert.deepEqual(readIntent(one, lists), { kind: 'stop', is, collections: ['orders'] }, one)
    for (const one of ['Remove the email', 'Remove the orders', 'Stop reminding me', 'Stop the app'])
      assert.notEqual(readIntent(one, lists).kind, 'stop', one)
  })

  test("stopping mails keeps the bot check and notifications, and stopping all three restores the list's earlier files", () => {
    const unmailed = filesAfterBuild('Stop mailing me', all)
    const handler = unmailed.get('server/addToOrders.ts') ?? ''
    assert.match(handler, /guard\.verify[^]*await notify\(/)
    assert.doesNotMatch(handler, /email\.send/)
    const unguarded = filesAfterBuild('Remove the bot protection', unmailed)
    assert.equal(manifestIn(unguarded).collections?.['orders']?.write, 'public')
    assert.match(unguarded.get('tests/orders.test.ts') ?? '', /app\.data\.create\('orders'/)
    const none = filesAfterBuild('No more notifications', unguarded)
    const { collections, pages } = manifestIn(none)
    assert.deepEqual([Object.keys(collections ?? {}), pages?.length], [['orders'], 1])
    for (const path of ['web/pages/Orders.tsx', 'server/routes.ts', 'tests/orders.test.ts'])
      assert.equal(none.get(path)?.trim(), orders.get(path)?.trim(), path)
    assert.deepEqual(
      [...none.keys()].filter((path) => /addTo|Notifications/.test(path)),
      [],
    )
    assert.match(builtOf('Stop mailing me', all).summary, /^New records are no longer mailed\./)
  })

  test('the reply explains why a missing or manually edited mail, bot check or notification cannot be stopped', () => {
    const mine = new Map([...all, ['web/pages/Orders.tsx', 'export default () => null\n']])
    for (const [one, files, words] of [
      ['Stop mailing me', orders, /^The app sends no mail about new records\.$/],
      ['Remove the bot protection', orders, /^No form of the app is protected/],
      ['No more notifications', filesAfterBuild(said.mail, orders), /^The app sends no notifications/],
      ['Stop mailing me', mine, /^The order list was changed since I made it/],
    ] as const) {
      const turn = replyTo(one, files)
      assert.equal(turn.toolCalls, undefined, one)
      assert.match(turn.text ?? '', words, one)
    }
  })
})
