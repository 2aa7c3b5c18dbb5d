import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameFromSentence } from './name-from-sentence.ts'

for (const [sentence, name] of [
  ['Track the plants in my office: name, room, last watered date', 'Plants in my office'],
  ['Keep the books I lend to friends: title, friend, due date', 'Books I lend to friends'],
  ['Keep track of the books I lend to friends', 'Books I lend to friends'],
  ['Log my expenses: amount, category, date, paid', 'Expenses'],
  ['Plan team lunches: restaurant, date, who is coming', 'Team lunches'],
  ['I want an app for my yoga studio, with classes and bookings', 'Yoga studio'],
  ['can you make me a simple website where customers can order cakes', 'Customers can order cakes'],
  ['i need to track orders with customer and cake', 'Orders'],
  ['Internal tool to approve vacation requests', 'Internal tool to approve vacation'],
  ['Hello! Please build a CRM.', 'CRM'],
  ['Each person sees their own expenses with receipt photos', 'Expenses'],
  ['Only members can add recipes, everyone can read', 'Recipes'],
  ['Gästeliste für die Hochzeit: Name, kommt', 'Gästeliste für die Hochzeit'],
  ['植物を記録する', '植物を記録する'],
  ['Build a to-do list for my team', 'To-do list for my team'],
  ['A to do list', 'To do list'],
  ['an app for to-do lists', 'To-do lists'],
  ['Well-being diary', 'Well-being diary'],
  ['Create an all-in-one CRM', 'All-in-one CRM'],
  ['List-keeping app', 'List-keeping app'],
  ['Soßen und Rezepte', 'Soßen und Rezepte'],
  ['Añadir recetas', 'Añadir recetas'],
  ['Node.js versions. One page', 'Node.js versions'],
  ['Tool for 3.5 mm and 1,000 cables', '3.5 mm'],
  ['Plants:name,room', 'Plants'],
  ['x' + '🌱'.repeat(30), 'X' + '🌱'.repeat(19)],
  ['x'.repeat(300), 'X' + 'x'.repeat(39)],
] as const)
  test(`the sentence "${sentence.slice(0, 60)}" names its project ${name.slice(0, 40)}`, () => {
    assert.equal(nameFromSentence(sentence), name)
  })

test('a sentence that names nothing to build, such as "build me an app", gives no project name', () => {
  for (const sentence of ['', '  ', 'build me an app', '!!! 42', 'I want to'])
    assert.equal(nameFromSentence(sentence), null)
})

test('naming a project from a sentence of 8,000 characters takes less than half a second of CPU time', () => {
  const sentence = 'please make me a simple app for '.repeat(250)
  const began = process.cpuUsage().user
  nameFromSentence(sentence)
  assert.ok(process.cpuUsage().user - began < 500_000, 'half a second of work for 8,000 characters')
})
