import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Edit, type ScaffoldLists, readEdit } from './edits.ts'
import { withoutExistingParts } from './intent.ts'

const TEXT = { type: 'text', max: 200 } as const
const LISTS: ScaffoldLists = {
  orders: {
    title: 'Orders',
    fields: {
      number: TEXT,
      customer: { type: 'ref', ref: 'customers' },
      status: { type: 'enum', values: ['open', 'packed'] },
      price: { type: 'number' },
    },
  },
  customers: { title: 'Customers', fields: { name: TEXT, email: { type: 'text', as: 'email', max: 200 } } },
}
const ONE: ScaffoldLists = { customers: LISTS['customers'] ?? { fields: {} } }

/** Reads each sentence as a change of these lists. */
const read = (sentences: string[], lists = LISTS) =>
  Object.fromEntries(sentences.map((sentence) => [sentence, readEdit(sentence, lists)]))
const all = (sentences: string[], edit: Edit | null) =>
  Object.fromEntries(sentences.map((sentence) => [sentence, edit]))

describe('the change of a list that a sentence requests', () => {
  test('all usual ways to ask for the removal of a list are understood', () => {
    const sentences = [
      'Remove customers',
      'delete the customers list',
      'Drop the list of customers',
      'get rid of my customers',
      "we don't need customers any more",
      'I no longer want the customers page',
    ]
    assert.deepEqual(read(sentences), all(sentences, { kind: 'remove', collection: 'customers' }))
  })

  test('a request to remove records, or the search of every page, is not mistaken for a change of a list', () => {
    const sentences = [
      'Remove all customers',
      'delete all',
      'Remove the search',
      'hide the edit button',
      'remove the title',
      'Remove',
    ]
    assert.deepEqual(read(sentences), all(sentences, null))
  })

  test('removing an unknown list or field returns its name, even a name such as constructor', () => {
    assert.deepEqual(
      read([
        'Remove the suppliers',
        'Remove the constructor',
        'remove price from customers',
        'Remove toString from orders',
      ]),
      {
        'Remove the suppliers': { kind: 'missing', what: 'suppliers' },
        'Remove the constructor': { kind: 'missing', what: 'constructor' },
        'remove price from customers': { kind: 'missing', what: 'price' },
        'Remove toString from orders': { kind: 'missing', what: 'tostring' },
      },
    )
  })

  test('removing a field that is named twice removes it once, and the last field that people fill in cannot be removed', () => {
    const drop = (fields: string[]) => ({ kind: 'drop-fields', collection: 'orders', fields })
    assert.deepEqual(
      read([
        'Remove the price',
        'Drop price and status from orders',
        'remove price and price',
        'Remove number, status and price',
        'Remove name and email from customers',
      ]),
      {
        'Remove the price': drop(['price']),
        'Drop price and status from orders': drop(['price', 'status']),
        'remove price and price': drop(['price']),
        'Remove number, status and price': { kind: 'last-field', collection: 'orders' },
        'Remove name and email from customers': { kind: 'last-field', collection: 'customers' },
      },
    )
  })

  test('a request to rename a field without naming a list renames it in the list that has it', () => {
    const renamed = (to: string) => ({ kind: 'rename-field', collection: 'orders', field: 'price', to })
    assert.deepEqual(
      read([
        'Rename price to cost',
        'rename the price field of orders to "Unit price"',
        'Change the label of price into amount due',
        'Call the price as total',
      ]),
      {
        'Rename price to cost': renamed('cost'),
        'rename the price field of orders to "Unit price"': renamed('unitPrice'),
        'Change the label of price into amount due': renamed('amountDue'),
        'Call the price as total': renamed('total'),
      },
    )
  })

  test('a rename with an unknown old name, or a taken, reserved or letterless new name, is not understood', () => {
    const sentences = [
      'Rename price to status',
      'Rename price to id',
      'Rename price to owner id',
      'Rename price to created at',
      'Rename price to rev',
      'Rename price to 7',
      'Rename price to ???',
      'Rename price to cost (EUR, USD)',
      'Rename discount to rebate',
      'Rename price of customers to cost',
    ]
    assert.deepEqual(read(sentences), all(sentences, null))
  })

  test('new values are added to an enum field of a list, each once and in lower case', () => {
    const more = (values: string[]) => ({
      kind: 'more-choices',
      collection: 'orders',
      field: 'status',
      values,
    })
    assert.deepEqual(
      read([
        'Add sent to the status',
        'add "sent", lost & returned to the status field',
        'Include cancelled and Cancelled in the status',
        'Add sent as an option for the status',
        `Add ${'x'.repeat(41)} and sent to the status`,
      ]),
      {
        'Add sent to the status': more(['sent']),
        'add "sent", lost & returned to the status field': more(['sent', 'lost', 'returned']),
        'Include cancelled and Cancelled in the status': more(['cancelled']),
        'Add sent as an option for the status': more(['sent']),
        [`Add ${'x'.repeat(41)} and sent to the status`]: more(['sent']),
      },
    )
  })

  test('words added to a name that both a list and a field have become fields if they name a field, else enum values', () => {
    const moods: ScaffoldLists = {
      moods: { title: 'Moods', fields: { mood: { type: 'enum', values: ['good', 'bad'] } } },
    }
    const kinds = [
      'Add a weather field to moods',
      'Add notes to moods',
      'Add okay to moods',
      'Add notes to the mood',
    ]
    assert.deepEqual(
      kinds.map((sentence) => readEdit(sentence, moods)?.kind),
      ['more-fields', 'more-fields', 'more-choices', 'more-choices'],
    )
  })

  test('a field called constructor is stored as constructorName and found as "constructor"', () => {
    const races: ScaffoldLists = { races: { title: 'Races', fields: { title: TEXT } } }
    const choice = {
      kind: 'more-fields',
      collection: 'races',
      fields: { constructorName: { type: 'enum', values: ['ferrari', 'mercedes'] } },
    }
    const [plain, choices, more] = [
      readEdit('Add a constructor field', races),
      readEdit('Add a constructor field (Ferrari, Mercedes)', races),
      readEdit('Add Ferrari to constructor', races),
    ]
    assert.deepEqual(plain, { kind: 'more-fields', collection: 'races', fields: { constructorName: TEXT } })
    assert.ok(choices?.kind === 'more-fields')
    assert.deepEqual(Object.keys(choices.fields), Object.keys(choice.fields))
    assert.deepEqual(withoutExistingParts(choices, races), choices)
    assert.notEqual(more?.kind, 'more-choices')
    const known: ScaffoldLists = { races: { title: 'Races', fields: { title: TEXT, constructorName: TEXT } } }
    assert.deepEqual(readEdit('Remove the constructor', known), {
      kind: 'drop-fields',
      collection: 'races',
      fields: ['constructorName'],
    })
  })

  test('new fields are optional, and are added to the named list or the only list', () => {
    const more = (collection: string, fields: object) => ({ kind: 'more-fields', collection, fields })
    assert.deepEqual(
      [
        readEdit('Add a due date to orders', LISTS),
        readEdit('Customers need a phone number', LISTS),
        readEdit('For each order, note the weight', LISTS),
        readEdit('Every order should also have a discount code', LISTS),
        readEdit('Add a phone number', ONE),
        readEdit('A field for the birthday', ONE),
        readEdit('Add a checkbox for newsletter', ONE),
      ],
      [
        more('orders', { dueDate: { type: 'date', index: true } }),
        more('customers', { phoneNumber: TEXT }),
        more('orders', { weight: { type: 'number' } }),
        more('orders', { discountCode: TEXT }),
        more('customers', { phoneNumber: TEXT }),
        more('customers', { birthday: { type: 'date', index: true } }),
        more('customers', { newsletter: { type: 'boolean', default: false, index: true } }),
      ],
    )
  })

  test('when several lists could get a new field, the user is asked which list', () => {
    assert.deepEqual(readEdit('Add a note', LISTS), {
      kind: 'which-list',
      fields: { note: { type: 'text', as: 'long', max: 5000 } },
    })
  })

  test('a sentence about a record, a total, a page text, another list or a relation adds no field', () => {
    const sentences = [
      'Add John Smith to customers',
      'Show the total of all orders',
      'Add a welcome text to the page',
      'Add a list of suppliers',
      'Add a price to lamps',
      'Customers have many orders',
    ]
    assert.deepEqual(read(sentences), all(sentences, null))
  })
})
