import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { ROOT } from '../lib.ts'
import { namedKeys } from './named-keys.ts'

const SOURCES = '{server,console,runtime,local,sdk,test,bench,scripts}/**/*.{ts,tsx,mjs,sql}'
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

describe('references', () => {
  test('every page of docs/ that a source file names exists, and so does the heading that it names', () => {
    const files = globSync(SOURCES, {
      cwd: ROOT,
      exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
    })
    assert.ok(files.length > 1000)
    const missing = files.flatMap((file) =>
      [...readText(file).matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(#[\w-]+)?/g)]
        .map(([reference]) => reference)
        .filter((reference) => !referenceExists(reference))
        .map((reference) => `${file}: ${reference}`),
    )
    assert.deepEqual(missing, [])
  })

  test('every relative link of the documentation leads to an existing file and heading', () => {
    const missing = PAGES.flatMap((page) =>
      [...readText(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)]
        .map(([, link = '']) => (link.startsWith('#') ? `${page}${link}` : join(dirname(page), link)))
        .filter((target) => !referenceExists(target))
        .map((target) => `${page}: ${target}`),
    )
    assert.deepEqual(missing, [])
  })

  test('every file and folder that the decision of a record names exists', () => {
    const paths = globSync('docs/decisions/*.md', { cwd: ROOT }).flatMap((record) => {
      // The context before the decision describes the repository as it was.
      const [, decision = ''] = readText(record).split('**Decision.**')
      return [
        ...decision.matchAll(
          /`((?:server|console|runtime|local|sdk|test|bench|scripts|docs)\/[\w./*<>-]+)`/g,
        ),
      ].map(([, path = '']) => ({ record, path }))
    })
    assert.ok(paths.length > 50)
    assert.deepEqual(
      paths.filter(({ path }) => globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: ROOT }).length === 0),
      [],
    )
  })

  test('every name in camelCase that a comment has in backticks occurs in the code', () => {
    const texts = globSync('{server,console,runtime,local,sdk,test,bench,scripts}/**/*.{ts,tsx,mjs}', {
      cwd: ROOT,
      // This file lists names that no other code has.
      exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)|scripts\/docs\/references\.test\.ts$/.test(path),
    }).map((file) => ({ file, text: readText(file) }))
    const known = new Set(
      texts.flatMap(({ text }) => text.replaceAll(COMMENT, '').match(/[A-Za-z_$][\w$]*/g) ?? []),
    )
    const names = texts
      .filter(({ file }) => !file.endsWith('.gen.ts'))
      .flatMap(({ file, text }) =>
        (text.match(COMMENT) ?? [])
          .flatMap((comment) => comment.match(/(?<=`)[a-z]+(?:[A-Z][a-z0-9]+)+(?=(?:\(\))?`)/g) ?? [])
          .map((name) => ({ file, name })),
      )
    assert.ok(names.length > 500)
    assert.deepEqual(
      names.filter(({ name }) => !known.has(name) && !NAMES_OF_OTHERS.has(name)),
      [],
    )
  })

  test('every documented npm command with options has `--` before them, because npm would otherwise not pass them on', () => {
    const commands = PAGES.flatMap((page) =>
      [...readText(page).matchAll(/\bnpm (?:run (?:-s )?[\w:-]+|start|test)\b[^`\n|&#]*/g)].map(
        ([command]) => ({
          page,
          command,
        }),
      ),
    )
    assert.ok(commands.length > 40)
    assert.deepEqual(
      commands.filter(({ command }) => / --\w/.test(command) && !/ -- /.test(command)),
      [],
    )
  })

  test('every constant and file that docs/limits.md names exists', () => {
    const rows = readText('docs/limits.md').split('\n')
    const places = rows.flatMap((row) =>
      [...row.matchAll(/((?:`\w+`(?:, )?)*)(?: in )?`((?:server|runtime|sdk)\/[\w./-]+)`/g)].map(
        ([, names = '', path = '']) => ({ names: [...names.matchAll(/\w+/g)].map(([name]) => name), path }),
      ),
    )
    assert.ok(places.length > 80)
    const missing = places.flatMap(({ names, path }) => {
      if (!existsSync(join(ROOT, path))) return [path]
      const text = textBelow(path)
      return names
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
        .map((name) => `${name} in ${path}`)
    })
    assert.deepEqual(missing, [])
  })

  test('every shared folder of the server that docs/architecture.md lists exists', () => {
    const lists = readText('docs/architecture.md').matchAll(/^- ((?:`[a-z][\w-]*`(?: and )?)+):/gm)
    const folders = [...lists].flatMap(([, names = '']) => names.match(/[a-z][\w-]*(?=`)/g) ?? [])
    assert.ok(folders.length >= 6)
    // The prose names folders, too: every name with a hyphen.
    folders.push(...(readText('docs/architecture.md').match(/(?<=`)[a-z]+(?:-[a-z]+)+(?=`)/g) ?? []))
    assert.deepEqual(
      folders.filter((folder) => !existsSync(join(ROOT, 'server', folder))),
      [],
    )
  })

  test("docs/architecture.md lists every server file outside a capability's folder that names the capability's key", () => {
    const paths = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') })
    const sources = paths
      // Leave out the declarations: each names the keys of the capabilities that it depends on.
      .filter((path) => !/^server\/capabilities\/\w+\/declaration\.ts$/.test(path))
      .map((path) => ({ path, text: readText(path) }))
    const folders = new Map(CAPABILITY_KEYS.map((key) => [key, `server/capabilities/${key}`]))
    const found = Map.groupBy(namedKeys(sources, folders), ({ path }) => path.slice('server/'.length))
    const rows = [...found].map(([path, places]) => {
      const keys = places.map(({ key }) => key).sort()
      return `${path}: ${keys.length > 2 ? 'several' : keys.join(', ')}`
    })
    const table = readText('docs/architecture.md').matchAll(/^\| `([\w/.-]+\.ts)` +\| ([^|]+?) +\|/gm)
    const listed = [...table].map(([, path = '', keys = '']) => `${path}: ${keys.replaceAll('`', '')}`)
    assert.deepEqual(listed.sort(), rows.sort())
  })

  for (const page of ['docs/architecture.md', 'CONTRIBUTING.md'])
    test(`every file, folder, command and name in backticks of ${page} exists`, () => {
      // Leave out the section on style, because the names in it are only examples.
      const prose = readText(page)
        .replace(/^## How we write$[^]*?(?=^## )/m, '')
        .replaceAll(/^ *```[^]*?^ *```/gm, '')
      const named = [...prose.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      assert.ok(named.length > 100)
      const sources = globSync('{server,console,runtime,local,sdk,test,bench,scripts,docs}{,/**/*}', {
        cwd: ROOT,
        exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
      })
      const known = new Set(sources.map((path) => basename(path)))
      for (const path of sources.filter((one) => /\.tsx?$/.test(one)))
        for (const [, name = ''] of readText(path).matchAll(DECLARATION)) known.add(name)
      assert.deepEqual(
        named.filter((name) => !nameExists(name, known)),
        [],
      )
    })
})

/** A comment of a source file. The slashes of a URL follow a colon, and those of a text or pattern a quote or letter. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g

/** Names in comments that are not in our code. */
const NAMES_OF_OTHERS: ReadonlySet<string> = new Set([
  // A directive of `Strict-Transport-Security` (RFC 6797).
  'includeSubDomains',
  // An example of a name that the scaffold model derives from a sentence.
  'officePlant',
  'officePlants',
  // An option of the console's library for shortcuts.
  'sequenceTimeoutMs',
])

const DECLARATION = /^(?:export )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm

/** Names that are neither files nor declarations, such as fields, with a file that has them. */
const NAMED_IN = new Map([
  ['app.json', 'server/agent/source/manifest.ts'],
  ['buckets', 'server/platform.ts'],
  ['data.create', 'runtime/data/calls.ts'],
  ['deliveries', 'server/events/emit.ts'],
  ['fails', 'server/http/endpoint.ts'],
  ['log', 'server/core.ts'],
  ['makers', 'server/platform.ts'],
  ['needs', 'server/http/endpoint.ts'],
  ['test/screenshots', '.gitignore'],
  ['widgets', 'server/platform.ts'],
])

/** Returns whether a name in backticks exists. True for sentences, SQL and values of settings, which are not looked up. */
function nameExists(name: string, known: ReadonlySet<string>): boolean {
  const [, command] = /^npm run (\S+)/.exec(name) ?? []
  if (command !== undefined) return Object.hasOwn(packageFile.scripts, command)
  // `PlatformPorts<'jobs'>` is the type `PlatformPorts`; `<key>` and the number of a migration are placeholders.
  const plain = name.replace(/<['A-Z].*/, '').replaceAll(/<\w+>|NNNN_name/g, '*')
  if (!/^[\w.*/-]+$/.test(plain) || /^(JSON\.\w+|unknown)$/.test(plain)) return true
  const place = NAMED_IN.get(plain)
  if (place !== undefined) return readText(place).includes(plain.split('.').at(-1) ?? '')
  const isFound = (root: string) => globSync(`${root}${plain}`, { cwd: ROOT }).length > 0
  const pattern = plain.startsWith('.') ? `*${plain}` : plain
  return (
    [...known].some((one) => matchesGlob(one, pattern)) ||
    ['', 'server/', 'console/', 'runtime/'].some(isFound)
  )
}

/** Whether `path` or `path#heading` exists in the repository. */
function referenceExists(reference: string): boolean {
  const [path = '', anchor] = reference.split('#')
  if (!existsSync(join(ROOT, path))) return false
  return anchor === undefined || anchorsOf(readText(path)).has(anchor)
}

/** Returns the anchors of a page's headings, derived in the same way as on GitHub. */
function anchorsOf(page: string): Set<string> {
  const headings = [...page.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

function textBelow(path: string): string {
  if (statSync(join(ROOT, path)).isFile()) return readText(path)
  return globSync(`${path}/**/*.ts`, { cwd: ROOT }).map(readText).join('\n')
}
