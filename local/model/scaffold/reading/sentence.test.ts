import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sentencesOf } from './sentence.ts'

const read = (texts: string[]) => texts.map(sentencesOf)

describe('the sentences of a request', () => {
  test('a request is reduced to its instruction, without greetings and polite phrases', () => {
    const texts = [
      'make a list of books',
      'Could you please make a list of books?',
      'Hi there, can u make a list of books pls!!',
      'Good morning! I would like to make a list of books. Thank you so much',
      'ok so first, kindly make a list of books, thanks a lot.',
      'Dear Sir, would you help me make a list of books?',
      "I'd really love to make a list of books",
      '  - make a list of books  ',
    ]
    assert.deepEqual(new Set(read(texts).flat()), new Set(['make a list of books']))
  })

  test('a question keeps its question mark, and a number keeps its decimal point', () => {
    assert.deepEqual(read(['What can you do?', 'Rate it with 3.5 stars. Add a price!', 'One... two']), [
      ['What can you do?'],
      ['Rate it with 3.5 stars', 'Add a price'],
      ['One', 'two'],
    ])
  })

  test('a message of only punctuation, greetings or polite words contains no request', () => {
    assert.deepEqual(
      read(['', ' \n\t', '...', '?!', 'please', 'Hello', 'Hi!\nThanks', '\u0000', '😀']),
      Array.from({ length: 9 }, () => []),
    )
  })

  test('letters of any script, and digits, count as words of a request', () => {
    assert.deepEqual(read(['книги', '書籍', '7']), [['книги'], ['書籍'], ['7']])
  })

  test('a word that means a list, such as guestbook or CRM, is read as "list of" and its records', () => {
    assert.deepEqual(
      read([
        'a guestbook',
        'My to-do list',
        'A reading list',
        'a CRM',
        'an inventory for my shop',
        'track sign-ups',
        'stock inventory: name',
        'items: inventory number',
      ]),
      [
        ['a list of messages'],
        ['My list of todos'],
        ['A list of books'],
        ['a list of customers'],
        ['an list of items for my shop'],
        ['track list of signups'],
        ['list of items: name'],
        ['items: inventory number'],
      ],
    )
  })

  test('bullets after a line that ends with a colon are its fields, or separate sentences when they contain a colon', () => {
    assert.deepEqual(
      read([
        'Track plants:\n- name\n* room\n• light',
        'Track plants:\n\n1. name\n2) room\nAdd a photo',
        'Make lists:\n- plants: name, room\n- books: title',
        'Track plants\n- name\n- room',
      ]),
      [
        ['Track plants: name, room, light'],
        ['Track plants: name, room', 'Add a photo'],
        ['Make lists', 'plants: name, room', 'books: title'],
        ['Track plants', 'name', 'room'],
      ],
    )
  })

  test('typographic quotes, dashes and full-width letters are read as plain ones, and misspellings are corrected', () => {
    assert.deepEqual(
      read(['“Books” – title, author’s name', 'Ｔｒａｃｋ ｂｏｏｋｓ', 'Trak my expences with ammount']),
      [[`"Books": title, author's name`], ['Track books'], ['track my expenses with amount']],
    )
  })

  test('the scaffold reads only the first 3,000 characters of a very long request', () => {
    const [first = '', ...others] = sentencesOf(`${'a'.repeat(2990)} bbbbbbbbbbbbbbbbbbbb`)
    assert.deepEqual([first.length, first.endsWith('bbbbbbbbb'), others], [3000, true, []])
  })
})
