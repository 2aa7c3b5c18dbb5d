import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CollectionSpec, Manifest } from '../kernel/manifest.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { foldText } from '../kernel/fold.ts'
import { DirectoryStore } from './store.ts'

const AT = '2026-11-20T00:00:00.000Z'

const collectionWith = (searched: string[]): CollectionSpec => ({
  title: 'Notes',
  partition: 'user',
  read: 'owner',
  write: 'owner',
  fields: {
    title: { type: 'text', search: searched.includes('title') },
    body: { type: 'text', search: searched.includes('body') },
  },
})
const manifestOf = (collections: Record<string, CollectionSpec>): Manifest => ({
  name: 'App',
  migrations: [],
  collections,
})

const SEARCHED = collectionWith(['title', 'body'])

function makeDirectory(manifest = manifestOf({ notes: SEARCHED, tasks: SEARCHED })) {
  const directory = new DirectoryStore(memoryStorage())
  directory.prepare('one', manifest, AT)
  let seq = 0
  const put = (name: string, id: string, fields: Record<string, unknown>, partition = 'app') => {
    const row = {
      id,
      owner: null,
      rev: 1,
      created_at: new Date(Date.parse(AT) + ++seq * 1000).toISOString(),
      updated_at: AT,
      json: JSON.stringify(fields),
    }
    directory.apply(partition, {
      to: seq,
      ops: [{ seq, at: AT, collection: name, id, row, isPartial: false }],
    })
  }
  const find = (q: string, partitions: string[] | null = null, name = 'notes') =>
    directory
      .search(name, { q, partitions, owner: null, limit: 9 })
      .map(({ partition, row }) => `${partition}/${row.id}`)
  return { directory, put, find }
}

const rangeOf = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

describe('the app-wide index of records', () => {
  test('a search covers one collection, with all records or only the records of the given people', () => {
    const { put, find } = makeDirectory()
    put('notes', 'a', { title: 'Café au lait' }, 'u_1')
    put('notes', 'b', { title: 'cafe noir' }, 'u_2')
    put('tasks', 'c', { title: 'buy cafe' }, 'u_1')
    assert.deepEqual(find('café').toSorted(), ['u_1/a', 'u_2/b'])
    assert.deepEqual(find('cafe', ['u_2']), ['u_2/b'])
    assert.deepEqual(find('cafe', []), [])
    assert.deepEqual(find('cafe', null, 'tasks'), ['u_1/c'])
  })

  test('a search in a collection without searchable fields ignores accents and case, and returns the newest first', () => {
    const { put, find } = makeDirectory(manifestOf({ notes: collectionWith([]) }))
    for (let i = 0; i < 1203; i++) put('notes', `n${i}`, { title: i % 600 === 0 ? 'Ärger im CAFÉ' : 'tea' })
    put('notes', 'twin', { title: 'arger', body: 'cafe\u0301' }, 'u_2')
    assert.deepEqual(find('cafe arger'), ['u_2/twin', 'app/n1200', 'app/n600', 'app/n0'])
    assert.deepEqual(find('Ärg CAFÉ', ['u_2']), ['u_2/twin'])
    assert.deepEqual(find('coffee'), [])
  })

  test('the full-text index and the text comparison treat every accented European letter alike', () => {
    const storage = memoryStorage()
    const directory = new DirectoryStore(storage)
    directory.prepare('one', manifestOf({ notes: SEARCHED }), AT)
    storage.sql.exec("create virtual table terms using fts5vocab(search, 'row')")
    // Latin-1, Latin Extended-A and some Cyrillic. Left out are the multiplication and division signs, and ŉ, which folds to two letters.
    const codes = [...rangeOf(0xc0, 0x17e), ...rangeOf(0x410, 0x451)].filter(
      (code) => ![0xd7, 0xf7, 0x149].includes(code),
    )
    const differing = codes.filter((code, i) => {
      const title = `x${String.fromCodePoint(code)}x`
      const row = {
        id: 'a',
        owner: null,
        rev: 1,
        created_at: AT,
        updated_at: AT,
        json: JSON.stringify({ title }),
      }
      const seq = i + 1
      directory.apply('app', {
        to: seq,
        ops: [{ seq, at: AT, collection: 'notes', id: 'a', row, isPartial: false }],
      })
      const terms = storage.sql
        .exec<{ term: string }>('select term from terms')
        .toArray()
        .map(({ term }) => term)
      return !terms.includes(foldText(title))
    })
    assert.deepEqual(
      differing.map((code) => String.fromCodePoint(code)),
      [],
    )
  })

  test('a search with decomposed accents finds text with composed accents, and the reverse', () => {
    const { put, find } = makeDirectory()
    put('notes', 'joined', { title: 'r\u00e9sum\u00e9' })
    put('notes', 'separate', { title: 're\u0301sume\u0301' })
    for (const q of ['résumé', 're\u0301sume\u0301', 'resume']) assert.equal(find(q).length, 2, q)
  })

  test('a search returns better matches first', () => {
    const { put, find } = makeDirectory()
    put('notes', 'long', { title: 'fern', body: 'many other words '.repeat(30) })
    put('notes', 'short', { title: 'fern fern' })
    assert.deepEqual(find('fern'), ['app/short', 'app/long'])
  })

  test('search input is matched as words, never run as operators of the full-text index', () => {
    const { put, find } = makeDirectory()
    put('notes', 'a', { title: 'plain text' })
    for (const q of [
      '" OR *',
      'text NOT plain',
      'scope : "cnotes"',
      'title:plain',
      '*',
      '""',
      '^plain -text',
      "'",
    ])
      assert.doesNotThrow(() => find(q), q)
    assert.deepEqual(find('plain OR missing'), [])
    assert.deepEqual(find('PLAIN "text"'), ['app/a'])
  })

  test('a search no longer finds a removed record, and counts stay correct when a batch arrives twice', () => {
    const { directory, put, find } = makeDirectory()
    put('notes', 'a', { title: 'gone' })
    const remove = {
      to: 2,
      ops: [{ seq: 2, at: AT, collection: 'notes', id: 'a', row: null, isPartial: false }],
    }
    directory.apply('app', remove)
    directory.apply('app', remove)
    assert.deepEqual(
      [find('gone'), directory.newest('notes', 9), directory.totals()['notes']?.count],
      [[], [], 0],
    )
    assert.equal(directory.holds('notes', 'app', 'a'), false)
  })

  test('a batch of log entries that is older than the last applied batch changes nothing in the search index', () => {
    const { directory, put } = makeDirectory()
    put('notes', 'a', { title: 'new' })
    put('notes', 'a', { title: 'newer' })
    const row = {
      id: 'a',
      owner: null,
      rev: 1,
      created_at: AT,
      updated_at: AT,
      json: JSON.stringify({ title: 'old' }),
    }
    directory.apply('app', {
      to: 1,
      ops: [{ seq: 1, at: AT, collection: 'notes', id: 'a', row, isPartial: false }],
    })
    assert.equal(directory.newest('notes', 1)[0]?.row.json, '{"title":"newer"}')
  })

  test('a field that becomes searchable is indexed in steps, and the words of a field that is no longer searchable are removed', () => {
    const { directory, put, find } = makeDirectory(manifestOf({ notes: collectionWith(['title']) }))
    for (let i = 0; i < 2001; i++) put('notes', `n${i}`, { title: 'plain', body: `word${i}` }, 'app')
    assert.deepEqual(find('word2000'), [])
    directory.prepare('two', manifestOf({ notes: collectionWith(['body']) }), AT)
    assert.equal(directory.reindexSome(), true)
    assert.equal(directory.reindexSome(), false)
    assert.deepEqual([find('word2000'), find('plain')], [['app/n2000'], []])
  })

  test("the app-wide index uses the activated release's manifest, or before any activation the last one received", () => {
    const directory = new DirectoryStore(memoryStorage())
    const [one, two] = [manifestOf({ notes: SEARCHED }), manifestOf({ tasks: SEARCHED })]
    assert.equal(directory.active(), null)
    directory.prepare('one', one, AT)
    directory.prepare('two', two, AT)
    assert.equal(directory.active()?.hash, 'two')
    assert.equal(directory.activate('one'), true)
    directory.prepare('three', two, AT)
    assert.equal(directory.active()?.hash, 'one')
    assert.equal(directory.activate('unknown'), false)
  })

  test('a single-use token is rejected when it is used again before it expires, and is forgotten afterwards', () => {
    const { directory } = makeDirectory()
    assert.equal(directory.spend('t', 100, 50), true)
    assert.equal(directory.spend('t', 100, 60), false)
    assert.equal(directory.spend('t', 300, 101), true)
  })
})
