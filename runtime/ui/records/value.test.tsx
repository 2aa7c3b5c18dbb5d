import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  fireEvent,
  newTeam,
  pageOf,
  record,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
} from '../../testing/kit.test.fixture.tsx'
import type { FieldSpec } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { formatNumber, RecordValue } from './value.tsx'

manifest.collections['lanes'] = {
  title: 'Lanes',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: { name: { type: 'text' } },
}

const PLACE = { collection: 'tracks', id: 'one', field: 'extra' }
const show = (spec: FieldSpec, value: unknown, partition?: string) =>
  render(<RecordValue spec={spec} value={value} place={{ ...PLACE, partition }} />).container
const textOf = (spec: FieldSpec, value: unknown) => {
  const { textContent } = show(spec, value)
  return textContent
}
const linkIn = (container: HTMLElement) => {
  const link = container.querySelector('a')
  return [link?.getAttribute('href'), link?.getAttribute('rel'), link?.textContent]
}

describe('the value of a field of a record', () => {
  test('a field without a value shows a dash, whatever its type', () => {
    for (const [spec, value] of [
      [{ type: 'text' }, ''],
      [{ type: 'number' }, null],
      [{ type: 'boolean' }, undefined],
      [{ type: 'list' }, []],
      [{ type: 'list', ref: 'lanes' }, []],
    ] as const)
      assert.equal(textOf(spec, value), '–', spec.type)
  })

  test('zero, false and null inside JSON are shown as values, not as an empty field', () => {
    assert.equal(textOf({ type: 'integer' }, 0), '0')
    assert.equal(textOf({ type: 'boolean' }, false), 'No')
    assert.equal(textOf({ type: 'json' }, { a: [null] }), '{"a":[null]}')
  })

  test('booleans, enum values and lists are shown in readable words', () => {
    assert.equal(textOf({ type: 'boolean' }, true), ' Yes')
    assert.equal(textOf({ type: 'enum', values: ['in_progress'] }, 'in_progress'), 'In progress')
    assert.equal(textOf({ type: 'list' }, ['sun', 'water']), 'sun, water')
  })

  test('an enum value that the app no longer declares is still shown', () => {
    const badge = show({ type: 'enum', values: ['new'] }, 'old').querySelector('.badge')
    assert.deepEqual([badge?.className, badge?.textContent], ['badge badge-neutral', 'Old'])
  })

  test('digits are grouped only from five digits on, so that a year has no separator, and an amount has its currency', () => {
    assert.deepEqual(
      [2026, 20_260, 1.5].map((value) => formatNumber(value)),
      [2026, 20_260, 1.5].map((value) => value.toLocaleString(undefined, { useGrouping: 'min2' })),
    )
    assert.match(formatNumber(123_456, { currency: 'EUR' }), /1.?234[.,]56/)
    assert.match(formatNumber(500, { currency: 'JPY' }), /500(?![.,])/)
  })

  test('small numbers and coordinates are shown with their decimals, and sums without floating-point errors', () => {
    const digits = (value: number) => formatNumber(value).replace(',', '.')
    assert.deepEqual([0.0004, 52.520008, 0.1 + 0.2].map(digits), ['0.0004', '52.520008', '0.3'])
  })

  test('a date is shown as the same day in every time zone, and text that is not a date is shown unchanged', () => {
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(2026, 10, 20))
    const container = show({ type: 'date' }, '2026-11-20')
    assert.equal(container.querySelector('time')?.getAttribute('datetime'), '2026-11-20')
    assert.equal(container.textContent, day)
    assert.equal(textOf({ type: 'date' }, 'soon'), 'soon')
  })

  test('a time is shown in the time zone of the person', () => {
    const at = '2026-11-20T23:30:00.000Z'
    const expected = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    assert.equal(textOf({ type: 'date' }, at), expected.format(new Date(at)))
  })

  test('a web address is a link that gives the linked site no access to the page, and any other address is plain text', () => {
    assert.deepEqual(linkIn(show({ type: 'text', as: 'url' }, 'HTTPS://www.example.test/path/')), [
      'HTTPS://www.example.test/path/',
      'noopener noreferrer',
      'example.test/path',
    ])
    for (const text of ['javascript:alert(1)', ' https://example.test', 'data:text/html,x']) {
      const container = show({ type: 'text', as: 'url' }, text)
      assert.deepEqual([container.querySelector('a') === null, container.textContent], [true, text])
    }
    assert.deepEqual(linkIn(show({ type: 'text' }, 'https://example.test')), [
      undefined,
      undefined,
      undefined,
    ])
    assert.deepEqual(linkIn(show({ type: 'text', as: 'email' }, 'ada@example.test')), [
      'mailto:ada@example.test',
      null,
      'ada@example.test',
    ])
  })

  test('a file is shown as a picture, or as a link when the browser cannot show it as a picture', () => {
    const team = newTeam()
    const container = show({ type: 'file', title: 'Map' }, 'f1', team)
    const link = `/_app/files/in/tracks/one/extra?partition=${team}&file=f1`
    assert.equal(linkIn(container)[0], link)
    assert.equal(screen.getByAltText<HTMLImageElement>('Open: Map').getAttribute('src'), `${link}&width=128`)
    fireEvent.error(screen.getByAltText('Open: Map'))
    assert.equal(container.textContent, 'Open the file')
  })

  test('a reference in a record of a team shows the name of the record of that team', async () => {
    const team = newTeam()
    serveApp({
      'GET /_app/data/lanes': ({ query }) => {
        if (query['partition'] !== team)
          return new RefusedResponse('not_found', 'There is no such partition.')
        const { id } = JSON.parse(query['where'] ?? '{}') as { id: string }
        return pageOf(id === 'gone' ? [] : [record(id, { name: `Lane ${id}` })])
      },
    })
    const one = show({ type: 'ref', ref: 'lanes' }, 'a', team)
    assert.equal(one.textContent, '…')
    await waitFor(() => assert.equal(one.textContent, 'Lane a'))
    const list = show({ type: 'list', ref: 'lanes' }, ['b', 'gone', 'a'], team)
    await waitFor(() => assert.equal(list.textContent, 'Lane b, Deleted, Lane a'))
  })
})
