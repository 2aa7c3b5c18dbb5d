import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { ApiFailure } from '../rest/failure.ts'
import type { Account } from '../types.ts'
import { readUpload } from './upload.ts'

const MB = 1024 * 1024
const ESM = 'application/javascript+module'

describe('the parts of an uploaded worker', () => {
  const accountOf = (plan: Account['plan']): Account => ({
    id: 'a',
    name: 'Acme',
    plan,
    subdomain: 'acme',
    createdAt: 1,
  })
  const formOf = (metadata: unknown, parts: Record<string, File | string> = {}) => {
    const form = new FormData()
    if (metadata !== undefined)
      form.set('metadata', typeof metadata === 'string' ? metadata : JSON.stringify(metadata))
    for (const [name, part] of Object.entries(parts)) form.set(name, part)
    return form
  }
  const file = (type: string, name = 'blob', bytes: string | Uint8Array<ArrayBuffer> = 'x') =>
    new File([bytes], name, { type })
  const read = (
    body: string | FormData | ArrayBuffer,
    { plan = 'paid', type = '' }: { plan?: Account['plan']; type?: string } = {},
  ) =>
    readUpload(
      new Request('http://x/', { method: 'PUT', body, ...(type && { headers: { 'content-type': type } }) }),
      accountOf(plan),
    )
  /** Returns status, code and message of the failure. */
  const refusal = async (reading: Promise<unknown>) => {
    try {
      return await reading
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return [error.status, error.code, error.message]
    }
  }
  const MAIN = { main_module: 'index.js' }
  const modulesOf = async (parts: Record<string, File | string>) =>
    (await read(formOf(MAIN, { 'index.js': file(ESM), ...parts }))).modules
      .slice(1)
      .map(({ name, type, bytes }) => [name, type, Buffer.from(bytes).toString()])

  test("the metadata of a worker upload may be a text field or a file, and missing fields have the provider's defaults", async () => {
    const metadata = { ...MAIN, bindings: [], compatibility_date: '', compatibility_flags: [] }
    const modules = [{ name: 'index.js', type: 'esm', bytes: new Uint8Array(Buffer.from('x')) }]
    assert.deepEqual(await read(formOf(MAIN, { 'index.js': file(ESM) })), { metadata, modules })
    const asFile = formOf(undefined, {
      metadata: file('application/json', 'blob', JSON.stringify(MAIN)),
      'index.js': file(ESM),
    })
    assert.deepEqual(await read(asFile), { metadata, modules })
  })

  test("a worker module's type is read from its content type, and source maps are omitted", async () => {
    assert.deepEqual(
      await modulesOf({
        a: file('text/javascript+module'),
        b: file('text/javascript; charset=utf-8'),
        c: file('application/wasm'),
        d: file('text/plain'),
        e: file('text/html'),
        f: file('application/octet-stream'),
        g: file('application/json'),
        h: file('application/source-map'),
        i: 'a text part is no module',
      }),
      [
        ['a', 'esm', 'x'],
        ['b', 'cjs', 'x'],
        ['c', 'wasm', 'x'],
        ['d', 'text', 'x'],
        ['e', 'text', 'x'],
        ['f', 'data', 'x'],
        ['g', 'json', 'x'],
      ],
    )
  })

  test('a worker module has the name of its file, or of its form field when the file has no name', async () => {
    assert.deepEqual(await modulesOf({ field: file(ESM, 'lib/a.js'), other: file(ESM, 'blob') }), [
      ['lib/a.js', 'esm', 'x'],
      ['other', 'esm', 'x'],
    ])
  })

  test('a worker module of an unknown type is refused, even of a type such as "constructor"', async () => {
    for (const type of ['image/png', 'constructor'])
      assert.deepEqual(await refusal(read(formOf(MAIN, { 'index.js': file(type) }))), [
        400,
        10021,
        `Module index.js: type '${type}' is not supported.`,
      ])
  })

  test('a worker upload without a form, valid metadata or the main module is refused', async () => {
    const refused = (status: number, message: string) => [status, 10021, message]
    assert.deepEqual(
      [
        await refusal(read('{}', { type: 'application/json' })),
        await refusal(read('broken', { type: 'multipart/form-data; boundary=x' })),
        await refusal(read(formOf(undefined, { 'index.js': file(ESM) }))),
        await refusal(read(formOf('{'))),
        await refusal(read(formOf({}))),
        await refusal(read(formOf(MAIN))),
        await refusal(read(formOf({ body_part: 'script' }))),
        await refusal(read(formOf({ ...MAIN, migrations: {}, exports: {} }))),
      ],
      [
        refused(415, 'A worker is uploaded as multipart/form-data with a metadata part.'),
        refused(400, 'The multipart body cannot be read.'),
        refused(400, 'The upload has no metadata part.'),
        refused(400, 'The metadata part is not JSON.'),
        refused(400, 'metadata names no main_module.'),
        refused(400, "No part is named 'index.js', the main_module."),
        refused(400, 'Service worker syntax is not available in the local cloud: use ES modules.'),
        refused(400, 'metadata holds both migrations and exports; send one of them.'),
      ],
    )
    const [status, code] = (await refusal(read(formOf({ bindings: 7 })))) as unknown[]
    assert.deepEqual([status, code], [400, 10021])
    for (const [name, value] of [
      ['html_handling', 'none-of-these'],
      ['not_found_handling', 5],
      ['run_worker_first', ['/api/*', 5]],
      ['_headers', ['x']],
      ['_redirects', {}],
    ] as const)
      assert.match(
        String(await refusal(read(formOf({ assets: { jwt: 'x', config: { [name]: value } } })))),
        new RegExp(`^400,10021,[^]*assets\\.config\\.${name}`),
      )
  })

  test('a worker with only assets, whether uploaded or kept, needs no module', async () => {
    for (const metadata of [{ assets: { jwt: 'x' } }, { keep_assets: true }])
      assert.deepEqual((await read(formOf(metadata))).modules, [])
  })

  test('a worker upload may write the content type multipart/form-data in upper or lower case', async () => {
    const form = new Request('http://x/', { method: 'PUT', body: formOf(MAIN, { 'index.js': file(ESM) }) })
    const type = (form.headers.get('content-type') ?? '').replace(
      'multipart/form-data',
      'Multipart/Form-Data',
    )
    assert.equal((await read(await form.arrayBuffer(), { type })).modules.length, 1)
  })

  test("a free account's worker has at most 3 MB compressed, and a paid account's may be larger", async () => {
    const upload = async (plan: Account['plan'], bytes: Uint8Array<ArrayBuffer>) =>
      await refusal(
        read(formOf(MAIN, { 'index.js': file(ESM, 'blob', bytes) }), { plan }).then(
          ({ modules }) => modules.length,
        ),
      )
    const noise = (size: number) => new Uint8Array(randomBytes(size))
    assert.equal(await upload('free', noise(3 * MB)), 1)
    const tooLarge = (size: number) => [413, 10027, `The worker exceeds the size limit of ${size} MB.`]
    assert.deepEqual(await upload('free', noise(3 * MB + 1)), tooLarge(3))
    assert.equal(await upload('free', new Uint8Array(4 * MB)), 1)
    assert.equal(await upload('paid', noise(3 * MB + 1)), 1)
  })
})
