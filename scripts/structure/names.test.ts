import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namingBreaks } from './names.ts'

const fileOf = (path: string, ...lines: string[]) => ({ path, text: lines.join('\n') })
const clearConstants = Array.from({ length: 49 }, (_, index) => `const PAGE_SIZE_${index} = 1`)
const clearTypes = Array.from({ length: 86 }, (_, index) => `export interface TicketPage${index} {}`)
const clearFunctions = Array.from({ length: 49 }, (_, index) => `function readPage${index}() {}`)

describe('the check of names', () => {
  test('the naming check reports when more than 6 % of the module constants have names of one word', () => {
    const withinLimit = fileOf(
      'server/a.ts',
      ...clearConstants,
      'const log = 1',
      'let LIMIT = 1',
      'const a = 1',
    )
    assert.deepEqual(namingBreaks([withinLimit]), [])
    assert.deepEqual(namingBreaks([withinLimit, fileOf('server/b.ts', 'export const LIMIT: number = 1')]), [
      '4 of 53 module constants have a name of one word, more than 6 %: say what they hold',
    ])
  })

  test('the naming check reports when more than 2 % of the private functions have names of one word', () => {
    const withinLimit = fileOf('server/a.ts', ...clearFunctions, 'async function read() {}')
    assert.deepEqual(namingBreaks([withinLimit]), [])
    assert.deepEqual(namingBreaks([withinLimit, fileOf('server/b.ts', 'const write = () => 1')]), [
      '2 of 51 private functions have a name of one word, more than 2 %: say what they return or do',
    ])
  })

  test('the naming check counts only functions that are neither exported, nor methods, nor in tests as private', () => {
    const others = [
      'export function read() {}',
      'export const write = () => 1',
      'class Store {',
      '  open() {}',
      '  #close() {}',
      '}',
    ]
    assert.deepEqual(
      namingBreaks([fileOf('server/a.ts', ...others), fileOf('server/a.test.ts', 'function read() {}')]),
      [],
    )
  })

  test('the naming check counts only module constants, not functions, schemas, local constants or tests', () => {
    const others = [
      'const readText = (text: string) => text',
      'const listPages: Reader = async () => []',
      'const Ticket = z.object({})',
      '  const inside = 1',
    ]
    assert.deepEqual(
      namingBreaks([fileOf('server/a.ts', ...others), fileOf('server/a.test.ts', 'const LIMIT = 1')]),
      [],
    )
  })

  test('the naming check reports a function name that four files declare, for function declarations and arrow functions', () => {
    const files = [
      fileOf('server/a.ts', 'function textOf() {}'),
      fileOf('server/b.ts', 'export async function textOf() {}'),
      fileOf('local/d.ts', 'export const textOf = <Row>(row: Row) => row', 'export function textOf() {}'),
      fileOf('local/testing/e.ts', 'function textOf() {}'),
    ]
    assert.deepEqual(namingBreaks(files), [])
    assert.deepEqual(namingBreaks([...files, fileOf('sdk/f.ts', 'function* textOf() {}')]), [
      '4 files declare a function textOf: say what each one returns',
    ])
  })

  test('the naming check reports when more than 14 % of the types and interfaces have names of one word', () => {
    const shortTypes = Array.from({ length: 14 }, (_, index) => `type Row${index} = string`)
    const withinLimit = fileOf('server/a.ts', ...clearTypes, ...shortTypes)
    assert.deepEqual(namingBreaks([withinLimit]), [])
    assert.deepEqual(namingBreaks([withinLimit, fileOf('server/b.ts', 'export interface Place<T> {}')]), [
      '15 of 101 types have a name of one word, more than 14 %: say what they hold',
    ])
  })

  test('the naming check reports a type name that four files declare, for types and interfaces, outside tests', () => {
    const files = [
      fileOf('server/a.ts', 'interface Place {}', ...clearTypes),
      fileOf('server/b.ts', 'export type Place = string'),
      fileOf('local/c.ts', 'export interface Place extends Base {}', 'type Place<T> = T'),
      fileOf('local/d.test.ts', 'interface Place {}'),
    ]
    assert.deepEqual(namingBreaks(files), [])
    assert.deepEqual(namingBreaks([...files, fileOf('sdk/e.ts', 'type Place = number')]), [
      '4 files declare a type Place: say what each one holds',
    ])
  })

  test('each `object-types.ts` in the runtime may declare `Methods` and `Head`, and no other repeated name', () => {
    const declarations = ['export interface Methods {}', 'export interface Head {}', 'interface Place {}']
    const files = ['data', 'live', 'meter', 'pay'].map((folder) =>
      fileOf(`runtime/${folder}/object-types.ts`, ...declarations),
    )
    assert.deepEqual(namingBreaks([fileOf('server/a.ts', ...clearTypes), ...files]), [
      '4 files declare a type Place: say what each one holds',
    ])
  })

  test('the naming check reports a function, constant, class or type that two files of one package export', () => {
    const exports = [
      'function openRoom() {}',
      'const ROOM_BYTES = 1',
      'class RoomStore {}',
      'type RoomPage = string',
    ]
    const files = ['server/rooms/a.ts', 'server/b.ts'].map((path) =>
      fileOf(path, ...exports.map((line) => `export ${line}`)),
    )
    const report = (name: string) =>
      `2 files of a package export ${name}, last server/b.ts: keep one, or name what each one is`
    assert.deepEqual(namingBreaks(files), ['openRoom', 'ROOM_BYTES', 'RoomStore', 'RoomPage'].map(report))
  })

  test('a name may be declared twice in two packages, in files of one name, privately, and in the modules that apps import', () => {
    const [shared, own] = ['export function openRoom() {}', 'function openRoom() {}'] as const
    const pairs: [string, string, string?][] = [
      ['server/rooms.ts', 'console/calls.ts'],
      ['local/github/errors.ts', 'local/stripe/errors.ts'],
      ['console/text/rooms.ts', 'console/screens/rooms.tsx'],
      ['server/rooms.ts', 'server/calls.ts', own],
      ['server/rooms.ts', 'server/testing/rooms-world.ts'],
      ['runtime/live/server.ts', 'runtime/live/client.ts'],
      ['runtime/data/server.ts', 'runtime/data/client/data.ts'],
    ]
    for (const [first, second, line = shared] of pairs)
      assert.deepEqual(namingBreaks([fileOf(first, shared), fileOf(second, line)]), [], `${first}, ${second}`)
  })

  test('the naming check reports an exported type or class whose name ends with a participle or a preposition', () => {
    const names = ['Unlinked', 'ToolSending', 'MailWith', 'TicketSent', 'SignedIn']
    const text = [
      `export type ${names[0]} = string`,
      `export interface ${names[1]} {}`,
      `export type ${names[2]}<File> = File`,
      `export class ${names[3]} {}`,
      `export abstract class ${names[4]} {}`,
    ]
    assert.deepEqual(
      namingBreaks([fileOf('server/a.ts', ...clearTypes, ...text)]),
      names.map(
        (name) => `server/a.ts exports a type ${name}: end its name with a noun that says what it holds`,
      ),
    )
  })

  test('the naming check allows nouns that end like a participle, private types, tests, and generic types that end with Of', () => {
    const allowed = [
      'export interface Binding {}',
      'export type PendingSignIn = string',
      'export type RecordOf<T> = T',
      'export type TreeNode = string',
      'interface Unlinked {}',
    ]
    const files = [
      fileOf('server/a.ts', ...clearTypes, ...allowed),
      fileOf('server/a.test.ts', 'export type Sent = string'),
    ]
    assert.deepEqual(namingBreaks(files), [])
  })

  test('the naming check reports an exported type or class whose name ends with a version number or a word such as Service or Info', () => {
    const names = [
      'CapabilityInfo',
      'ResourceWorkBase',
      'UploadManager',
      'TicketUtils',
      'EndpointHandler',
      'Misc',
      'DeviceService',
      'CloudImpl',
      'TicketNew',
      'TicketV2',
    ]
    const text = [
      `export interface ${names[0]} {}`,
      `export interface ${names[1]}<Parts> {}`,
      `export class ${names[2]} {}`,
      `export type ${names[3]} = string`,
      `export type ${names[4]}<In> = (input: In) => void`,
      `export abstract class ${names[5]} {}`,
      ...names.slice(6).map((name) => `export interface ${name} {}`),
    ]
    assert.deepEqual(
      namingBreaks([fileOf('server/a.ts', ...clearTypes, ...text)]),
      names.map(
        (name) =>
          `server/a.ts exports a type ${name}: end its name with a word that says what it holds or does`,
      ),
    )
  })

  test('job and workflow types that apps import, services of others, private types and words that only contain Info may be declared', () => {
    const allowed = [
      'export interface JobInfo {}',
      'export type JobHandler<Data> = (data: Data) => void',
      'export type FlowHandler<In> = (input: In) => void',
      'export interface Database {}',
      'export class PushService {}',
      'export interface InfoPanel {}',
      'interface UploadHelper {}',
    ]
    const files = [
      fileOf('runtime/a.ts', ...clearTypes, ...allowed),
      fileOf('server/a.test.ts', 'export interface TestHelper {}'),
    ]
    assert.deepEqual(namingBreaks(files), [])
  })

  test('the naming check of an empty list of files reports nothing', () => {
    assert.deepEqual(namingBreaks([]), [])
  })
})
