import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import {
  formatBytes,
  formatCount,
  formatMinute,
  oneLine,
  stripControlCharacters,
  formatTable,
} from './text.ts'

test('an operator command shows a size in the unit in which it rounds to 1 up to 999, with TB as the largest', () => {
  const sizes: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [1_000_000, '1.0 MB'],
    [999_949_999, '999.9 MB'],
    [999_999_999, '1.0 GB'],
    [10 ** 12, '1.0 TB'],
    [10 ** 16, '10000.0 TB'],
  ]
  for (const [size, text] of sizes) assert.equal(formatBytes(size), text)
})

test('the noun of a count is in the singular only for 1', () => {
  assert.deepEqual(
    [0, 1, 2, 1234567].map((number) => formatCount(number, 'row')),
    ['0 rows', '1 row', '2 rows', '1,234,567 rows'],
  )
})

test('an operator command shows a time in UTC whatever the time zone of the machine', () => {
  const zone = process.env['TZ']
  for (const name of ['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC']) {
    process.env['TZ'] = name
    assert.equal(formatMinute(new Date('2026-12-31T23:59:59.999Z')), '2026-12-31 23:59', name)
  }
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test('an operator command shows untrusted text on one line, and the text cannot control the terminal', () => {
  const texts: [string, string][] = [
    ['A plain subject', 'A plain subject'],
    ['one\ntwo\r\nthree\tfour', 'one two three four'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b]8;;https://evil.test\x07click\x1b]8;;\x07', 'click'],
    ['back\b\b\bspaces', 'back spaces'],
    ['\x9b2J cleared', '2J cleared'],
    ['para\u2028graph\u2029s', 'para graph s'],
    ['abc\u202egpj.exe\u202c', 'abcgpj.exe'],
    ['\u2067right\u2069 \u200fmark', 'right mark'],
    ['\n\n', ''],
    ['Ünïcödé 🌱 名前', 'Ünïcödé 🌱 名前'],
  ]
  for (const [given, shown] of texts) {
    const line = oneLine(given)
    // Some versions of Node remove all of `\x9b2J`, others only its first character.
    if (given.startsWith('\x9b')) assert.match(line, /^(2J )?cleared$/)
    else assert.equal(line, shown)
    assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}]/u)
  }
})

test('untrusted text of several lines keeps its line breaks and tabs but no other control characters in the terminal', () => {
  assert.equal(stripControlCharacters('a\n\tb\r\nc\x07\x1b[2J\x00d'), 'a\n\tb\ncd')
})

test('the table columns of an operator command are aligned whatever the width and the colors of the cells', () => {
  const lines = formatTable(
    ['ID', 'STATE', 'NAME'],
    [['1', '\x1b[31mopen\x1b[39m', 'Ada'], ['12345', 'closed', ''], ['7']],
  ).map(stripVTControlCharacters)
  assert.deepEqual(lines, ['ID     STATE   NAME', '1      open    Ada', '12345  closed', '7'])
  assert.deepEqual(formatTable(['ID'], []).map(stripVTControlCharacters), ['ID'])
})
