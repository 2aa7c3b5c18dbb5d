import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIntent } from './intent.ts'
import { plural, singular } from './words.ts'

/** Sentence, and what is kept of it: `collection(field:type, ...)`, or the kind of the intent. */
const SENTENCES: [string, string][] = [
  [
    'Track the plants in my office: name, room, last watered date',
    'plants(name:text room:text lastWateredDate:date)',
  ],
  [
    'Keep track of our customers with name, email and status (active, paused)',
    'customers(name:text email:text status:enum)',
  ],
  [
    'Store wine bottles: name, year, price, rating',
    'wineBottles(name:text year:number price:number rating:number)',
  ],
  [
    'Log my workouts with exercise, date, minutes and notes.',
    'workouts(exercise:text date:date minutes:number notes:text)',
  ],
  [
    'We want a directory of volunteers with name, phone and skills',
    'volunteers(name:text phone:text skills:text)',
  ],
  ['List of books I read with author and rating', 'books(title:text author:text rating:number)'],
  [
    'Plan team lunches including date, restaurant and who pays',
    'teamLunches(date:date restaurant:text whoPays:text)',
  ],
  ['I need a todo list', 'todos(title:text notes:text dueDate:date done:boolean)'],
  ['A guest book where visitors leave a name and a message', 'messages(name:text message:text)'],
  ['Collect feedback from users', 'feedback(name:text message:text rating:number)'],
  [
    'Tasks for each project with title, due date and done',
    'tasks(title:text dueDate:date done:boolean project:ref) projects(name:text owner:text dueDate:date status:enum)',
  ],
  ['Add a phone field to contacts', 'contacts(phone:text)'],
  ['How does this work?', 'question'],
  ['What can you do', 'question'],
  ['Make something nice', 'nothing'],
  ['Make it nice', 'nothing'],
  ['Track birthdays: name, day', 'birthdays(name:text day:date)'],
  ['Track birthdays2: name, day', 'birthdays2s(name:text day:date)'],
  ['hello', 'nothing'],
  ['Remove the notes', 'remove'],
]

describe('what a sentence asks for', () => {
  for (const [sentence, expected] of SENTENCES)
    test(sentence, () => {
      const intent = readIntent(sentence)
      const read =
        intent.kind === 'collections'
          ? intent.wanted
              .map(({ collection, fields }) => {
                const list = Object.entries(fields).map(([name, field]) => `${name}:${field.type}`)
                return `${collection}(${list.join(' ')})`
              })
              .join(' ')
          : intent.kind
      assert.equal(read, expected)
    })

  test('exactly one text field of a new collection is required', () => {
    for (const [sentence] of SENTENCES.slice(0, 11)) {
      const intent = readIntent(sentence)
      assert.equal(intent.kind, 'collections')
      const required =
        intent.kind === 'collections' ? intent.wanted.map(({ fields }) => Object.values(fields)) : []
      for (const fields of required)
        assert.equal(fields.filter((field) => field.required === true).length, 1, sentence)
    }
  })

  test('plurals and singulars are each other by rule', () => {
    const pairs = [
      'plant plants',
      'company companies',
      'person people',
      'box boxes',
      'address addresses',
      'bus buses',
    ]
    for (const pair of pairs) {
      const [one = '', many = ''] = pair.split(' ')
      assert.equal(plural(one), many)
      assert.equal(singular(many), one)
      assert.equal(plural(many), many)
    }
  })
})
