import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OutboundError, type OutboundFetch } from '../../lib/outbound.ts'
import { PackagesFile } from '../source/packages-file.ts'
import { Registry } from './registry.ts'
import { PackageRefusal } from './resolve.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const NOW = Date.parse('2026-11-26T00:00:00Z')
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString()
const INTEGRITY = `sha512-${'A'.repeat(86)}==`
const dist = { integrity: INTEGRITY, unpackedSize: 1000 }

/** A registry that responds to every request with `answer`; `urls` are the requests. */
function openRegistry(answer: () => Response | Promise<Response>, url = 'https://registry.test/npm//') {
  const urls: string[] = []
  const send = async (input: string | URL | Request) => {
    urls.push(String(input))
    return await answer()
  }
  const fetch: OutboundFetch = Object.assign(send, { close: async () => {} })
  return { registry: new Registry(url, fetch), urls }
}

const packument = (versions: Record<string, object>, more: object = {}) => ({
  versions: Object.fromEntries(Object.entries(versions).map(([one, about]) => [one, { dist, ...about }])),
  time: Object.fromEntries(Object.keys(versions).map((one) => [one, daysAgo(100)])),
  ...more,
})
const pickFrom = (body: unknown, range = '*', name = 'chart') =>
  openRegistry(() => new Response(typeof body === 'string' ? body : JSON.stringify(body))).registry.pick(
    name,
    range,
    NOW,
  )
const isRefused = (message: string) => (error: unknown) => {
  assert.ok(error instanceof PackageRefusal, String(error))
  assert.equal(error.message, message)
  return true
}

describe('the versions that a registry has of a package', () => {
  test('the package version tagged latest is chosen if it is in the requested range, otherwise the newest version in the range', async () => {
    const body = packument({ '1.0.0': {}, '1.2.0': {}, '2.0.0': {}, '1.10.0': {} })
    const versionOf = async (range: string, tags: object = {}) =>
      (await pickFrom({ ...body, 'dist-tags': tags }, range)).entry.version
    assert.equal(await versionOf('^1.0.0'), '1.10.0')
    assert.equal(await versionOf('^1.0.0', { latest: '1.2.0' }), '1.2.0')
    assert.equal(await versionOf('^1.0.0', { latest: '2.0.0' }), '1.10.0')
    assert.equal(await versionOf('^1.0.0', { latest: '1.9.9' }), '1.10.0')
    assert.equal(await versionOf('1.0.0', { latest: '2.0.0' }), '1.0.0')
  })

  test('a package version can be added seven days after its publication, and an older version is chosen until then', async () => {
    const versions = packument({ '1.0.0': {}, '1.1.0': {} })
    const aged = (time: object) => pickFrom({ ...versions, time, 'dist-tags': { latest: '1.1.0' } })
    const border = new Date(NOW - 7 * DAY_MS)
    assert.equal((await aged({ '1.0.0': daysAgo(9), '1.1.0': border.toISOString() })).entry.version, '1.1.0')
    const young = new Date(border.getTime() + 1).toISOString()
    assert.equal((await aged({ '1.0.0': daysAgo(9), '1.1.0': young })).entry.version, '1.0.0')
    await assert.rejects(
      aged({ '1.0.0': daysAgo(6), '1.1.0': young }),
      isRefused('chart 1.1.0 is younger than 7 days; ask for an older version.'),
    )
  })

  test('a package version with a missing or malformed publication time is refused as younger than seven days', async () => {
    for (const time of [{}, { '1.0.0': 'long ago' }])
      await assert.rejects(
        pickFrom({ ...packument({ '1.0.0': {} }), time }),
        isRefused('chart 1.0.0 is younger than 7 days; ask for an older version.'),
      )
  })

  test('a version range that matches no version is refused, and so is a package with only prereleases', async () => {
    const none = isRefused('There is no version ^3.0.0 of chart; ask for one that exists.')
    await assert.rejects(pickFrom(packument({ '1.0.0': {} }), '^3.0.0'), none)
    await assert.rejects(pickFrom(packument({}), '^3.0.0'), none)
    await assert.rejects(
      pickFrom(packument({ '1.0.0-beta.1': {} })),
      isRefused('There is no version * of chart; ask for one that exists.'),
    )
  })

  test('the lock file entry of a package version has the supported registry fields that are not empty', async () => {
    const about = {
      license: 'MIT'.repeat(100),
      dependencies: { a: '^1.0.0' },
      peerDependencies: { react: '>=18', '@s/b': '*' },
      peerDependenciesMeta: {
        '@s/b': { optional: true },
        react: { optional: false },
        other: { optional: true },
      },
      description: 'left out',
    }
    assert.deepEqual(await pickFrom(packument({ '1.0.0': about })), {
      hasTypes: false,
      entry: {
        version: '1.0.0',
        integrity: INTEGRITY,
        unpackedBytes: 1000,
        license: 'MIT'.repeat(100).slice(0, 200),
        dependencies: { a: '^1.0.0' },
        peerDependencies: { react: '>=18', '@s/b': '*' },
        peerDependenciesMeta: { '@s/b': { optional: true } },
      },
    })
    const bare = { license: { type: 'MIT' }, dependencies: {}, dist: { integrity: `sha1-x ${INTEGRITY}` } }
    assert.deepEqual(await pickFrom(packument({ '1.0.0': bare })), {
      hasTypes: false,
      entry: { version: '1.0.0', integrity: INTEGRITY, unpackedBytes: 0 },
    })
  })

  test('a package has types when its registry data names a type declaration file, at the top level or in its exports', async () => {
    const typed = [
      { types: 'index.d.ts' },
      { typings: 'index.d.ts' },
      { exports: { '.': { import: { types: './index.d.mts' } } } },
      { exports: './index.d.ts' },
    ]
    for (const about of typed) assert.equal((await pickFrom(packument({ '1.0.0': about }))).hasTypes, true)
    for (const about of [{ types: true }, { exports: './index.js' }, { exports: null }])
      assert.equal((await pickFrom(packument({ '1.0.0': about }))).hasTypes, false)
  })

  test('a package version that runs a script when it is installed is refused', async () => {
    const script = isRefused(
      'chart 1.0.0 runs a script when it is installed, which never happens here; choose a package without one.',
    )
    const scripts = ['preinstall', 'install', 'postinstall'].map((name) => ({ scripts: { [name]: '' } }))
    for (const about of [...scripts, { hasInstallScript: true }])
      await assert.rejects(pickFrom(packument({ '1.0.0': about })), script)
    const harmless = { scripts: { test: 'x', prepare: 'x' }, hasInstallScript: false }
    assert.equal((await pickFrom(packument({ '1.0.0': harmless }))).entry.version, '1.0.0')
  })

  test('a package version without a SHA-512 checksum is refused', async () => {
    for (const integrity of [undefined, '', 'sha1-abc', `sha512-${'A'.repeat(85)}==`])
      await assert.rejects(
        pickFrom(packument({ '1.0.0': { dist: { integrity } } })),
        isRefused('chart 1.0.0 has no SHA-512 checksum; choose a newer version.'),
      )
  })

  test('a package version with a dependency whose name is not a valid package name is refused', async () => {
    for (const odd of ['../evil', 'UPPER', 'node_modules', '@a/b/c', ''])
      for (const kind of ['dependencies', 'peerDependencies'])
        await assert.rejects(
          pickFrom(packument({ '1.0.0': { [kind]: { [odd]: '*' } } })),
          isRefused(`chart 1.0.0 needs a package with the name ${odd}; choose another one.`),
        )
  })

  test('a registry response that does not describe a package throws a refusal', async () => {
    const refusal = isRefused('The registry does not describe chart completely; choose another package.')
    for (const body of [
      '<html>Sign in</html>',
      '',
      'null',
      '[]',
      {},
      { versions: {} },
      { versions: [], time: 7 },
    ])
      await assert.rejects(pickFrom(body), refusal)
  })

  test('a package version with malformed registry data throws a refusal', async () => {
    const refusal = isRefused(
      'The registry does not describe chart 1.0.0 completely; choose another version.',
    )
    const odd = [
      { dependencies: ['a'] },
      { dependencies: { a: { version: '1.0.0' } } },
      { dist: null },
      { dist: 'x' },
      { dist: { ...dist, unpackedSize: 'big' } },
    ]
    for (const about of odd) await assert.rejects(pickFrom(packument({ '1.0.0': about })), refusal)
    for (const version of [null, 'x', 7])
      await assert.rejects(
        pickFrom({ ...packument({ '1.0.0': {} }), versions: { '1.0.0': version } }),
        refusal,
      )
  })

  test('a package version whose lock entry would make packages.json unreadable is refused', async () => {
    const long = `1.0.0-${'a'.repeat(95)}`
    const unreadable: [string, object][] = [
      ['1.0.0', { dist: { ...dist, unpackedSize: 1.5 } }],
      ['1.0.0', { dist: { ...dist, unpackedSize: -1 } }],
      ['1.0.0', { dependencies: { a: `^1.0.0 || ${'2'.repeat(200)}` } }],
      [long, {}],
    ]
    for (const [version, about] of unreadable)
      await assert.rejects(
        pickFrom(packument({ [version]: about }), version),
        isRefused(`The registry does not describe chart ${version} completely; choose another version.`),
      )
    const longest = { dependencies: { a: `^1.0.0 || ${'2'.repeat(190)}` } }
    const { entry } = await pickFrom(packument({ '1.0.0': longest }))
    const file = { packages: { chart: '1.0.0' }, lock: { 'node_modules/chart': entry } }
    assert.deepEqual(PackagesFile.parse(file), file)
  })

  test("the slash after a scope is encoded in the URL of a package's description, but not in the URL of the archive", async () => {
    const described = openRegistry(() => new Response(JSON.stringify(packument({ '1.0.0': {} }))))
    await described.registry.pick('@a/b', '*', NOW)
    await described.registry.pick('chart', '*', NOW)
    await described.registry.download('@a/b', '1.0.0')
    await described.registry.download('chart', '1.0.0')
    assert.deepEqual(described.urls, [
      'https://registry.test/npm/@a%2fb',
      'https://registry.test/npm/chart',
      'https://registry.test/npm/@a/b/-/b-1.0.0.tgz',
      'https://registry.test/npm/chart/-/chart-1.0.0.tgz',
    ])
  })

  test('downloading a package returns the bytes of its archive', async () => {
    const { registry } = openRegistry(() => new Response(Buffer.from([31, 139, 0, 255])))
    assert.deepEqual(await registry.download('chart', '1.0.0'), new Uint8Array([31, 139, 0, 255]))
  })

  test("a package registry's status other than 2xx throws a refusal with the status, and for 404 with advice to check the name", async () => {
    const answer = (status: number) => openRegistry(() => new Response('x', { status })).registry
    await assert.rejects(
      answer(404).pick('chart', '*', NOW),
      isRefused('The registry does not have the package chart; check the name.'),
    )
    await assert.rejects(
      answer(404).download('chart', '1.0.0'),
      isRefused('The registry does not have chart 1.0.0; check the name.'),
    )
    for (const status of [302, 401, 429, 503])
      await assert.rejects(
        answer(status).download('chart', '1.0.0'),
        isRefused(`The registry refused chart 1.0.0 (${status}); try again later or do without it.`),
      )
  })

  test('an unreachable package registry throws a refusal with the cause, if known', async () => {
    const causes: [Error, string][] = [
      [new OutboundError('10.0.0.1 is a private address.'), ' (10.0.0.1 is a private address.)'],
      [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), ' (ECONNREFUSED)'],
      [new TypeError('fetch failed', { cause: { code: 7 } }), ''],
      [new Error('aborted'), ''],
    ]
    for (const [error, reason] of causes) {
      const { registry } = openRegistry(() => Promise.reject(error))
      await assert.rejects(
        registry.download('chart', '1.0.0'),
        isRefused(
          `chart 1.0.0 could not be fetched: the registry cannot be reached${reason}; try again later or do without it.`,
        ),
      )
    }
  })

  test("a package registry's response that is cut off in the middle of its body throws a refusal", async () => {
    const cutOff = new ReadableStream({
      pull: (controller) =>
        controller.error(new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } })),
    })
    await assert.rejects(
      openRegistry(() => new Response(cutOff)).registry.pick('chart', '*', NOW),
      isRefused(
        'The package chart could not be fetched: the registry cannot be reached (UND_ERR_SOCKET); try again later or do without it.',
      ),
    )
  })
})
