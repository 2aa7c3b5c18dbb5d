import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { unfulfilledRequests, readIntent } from '../reading/intent.ts'
import { testSource } from './pages.ts'
import {
  callsOf,
  EMPTY_APP,
  type FixtureFiles,
  filesAfter,
  manifestIn,
  openingOf,
} from '../ticket-fixture.ts'

const buildFiles = (said: string, files = EMPTY_APP) => filesAfter(files, callsOf(openingOf(said, files)))
const pageOf = (files: FixtureFiles) => [...files].find(([path]) => path.startsWith('web/pages/'))?.[1] ?? ''

describe('the pages and the look of an app of the scaffold model', () => {
  for (const [said, part, palette, icon] of [
    ['Track orders with customer and status (new, baking, ready)', '<Board', 'indigo', 'receipt'],
    ['Plan team lunches: restaurant, date, who is coming', '<Calendar', 'clay', 'plate'],
    ['Log my expenses: amount, category, date, paid', '<DonutChart', 'forest', 'coin'],
    ['Log my workouts: exercise, date, minutes, notes', '<BarChart', 'teal', 'dumbbell'],
    ['A guestbook for our wedding, with name and message', '<Card title="Add a message">', 'rose', 'message'],
    ['Track the plants in my office: name, room', '<Dialog title="Add a plant"', 'forest', 'leaf'],
  ] as const)
    test(`the request "${said}" builds a page with ${part}, the palette ${palette} and the icon ${icon}`, () => {
      const files = buildFiles(said)
      assert.ok(pageOf(files).includes(part), pageOf(files))
      assert.deepEqual(manifestIn(files).look, { palette, icon })
    })

  test('a list with an unknown noun always gets the same palette, and no icon', () => {
    const buildLook = () => manifestIn(buildFiles('Track my zorbs: name, weight')).look
    assert.deepEqual(buildLook(), buildLook())
    assert.deepEqual(Object.keys(buildLook() ?? {}), ['palette'])
  })

  test('every palette and icon that the scaffold can choose is listed in the app guide', () => {
    const source = readFileSync(new URL('look.ts', import.meta.url), 'utf8')
    const guide = readFileSync(new URL('../../../../docs/guides/app.md', import.meta.url), 'utf8')
    const listedInGuide = (kind: string) =>
      new RegExp(`${kind}: \`([a-z ]+)\``).exec(guide)?.[1]?.split(' ') ?? []
    const chosen = [...source.matchAll(/^ {2}\['(\w+)', '(\w+)', '/gm)]
    assert.ok(chosen.length > 30)
    for (const [, palette = '', icon = ''] of chosen) {
      assert.ok(listedInGuide('Palettes').includes(palette), palette)
      assert.ok(listedInGuide('Icons').includes(icon), icon)
    }
  })

  test('building a list keeps a palette that is already set in app.json', () => {
    const files = new Map([['app.json', '{ "slipway": 1, "name": "New", "look": { "palette": "plum" } }\n']])
    assert.deepEqual(manifestIn(buildFiles('Track the plants in my office: name, room', files)).look, {
      palette: 'plum',
    })
  })

  test('the first value of a status field is its default', () => {
    const orders = buildFiles('Track orders with customer and status (new, baking, ready)')
    assert.equal(manifestIn(orders).collections?.['orders']?.fields['status']?.default, 'new')
    const later = buildFiles('Add a status', buildFiles('Track orders with customer and cake'))
    assert.equal(manifestIn(later).collections?.['orders']?.fields['status']?.default, 'open')
  })

  test('the record in the generated test of a list has a value for an integer field, and none for a JSON field', () => {
    const source = testSource('boxes', { extra: { type: 'json' }, count: { type: 'integer' } })
    assert.match(source, /\{ count: 1 \}/)
  })

  test("a list's page shows the average of an amount with at most two decimals", () => {
    assert.match(pageOf(buildFiles('Log my expenses: amount, category, date')), /maximumFractionDigits: 2/)
  })

  test("a requested calendar is reported as omitted only when the list's page has no calendar", () => {
    const leftOutOf = (said: string) => unfulfilledRequests(said, readIntent(said))
    assert.deepEqual(leftOutOf('Bookings with a calendar'), [])
    assert.deepEqual(leftOutOf('Books with a calendar'), ['a calendar'])
  })

  test("a list's page keeps its kanban board when its status field is renamed, and loses it when the field is removed", () => {
    const orders = buildFiles('Track orders with customer and status (new, baking, ready)')
    const renamed = buildFiles('Rename status to progress', orders)
    assert.match(pageOf(renamed), /field="progress"/)
    assert.doesNotMatch(pageOf(buildFiles('Remove the status', orders)), /Board/)
  })

  test('the page component of a list named tabs does not have the name of the imported component Tabs', () => {
    const page = pageOf(buildFiles('Track tabs: title, status (open, closed)'))
    const [, imported = ''] = /^import \{ (.+) \} from '@slipway\/app\/react'$/m.exec(page) ?? []
    const [, declared = ''] = /^export default function (\w+)\(/m.exec(page) ?? []
    assert.ok(imported.split(', ').includes('Tabs'), page)
    assert.equal(imported.split(', ').includes(declared), false, declared)
  })

  test("a list's page that was edited by hand is not overwritten when a field is renamed", () => {
    const orders = buildFiles('Track orders with customer and status (new, baking, ready)')
    const edited = new Map(
      [...orders].map(([path, text]) => [path, path.includes('pages/') ? `// mine\n${text}` : text]),
    )
    assert.equal(pageOf(buildFiles('Rename customer to buyer', edited)), pageOf(edited))
  })
})
