import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testBrowserPath } from '../../../testing/chromium.ts'
import { silentLog } from '../../../testing/database.ts'
import { isOpenToAll } from '../../../testing/open-to-all.ts'
import { descendants } from '../../../testing/processes.ts'
import { sampleFiles } from '../../../testing/apps/sample-app.ts'
import { completeTree } from '../../source/tree.ts'
import { findBrowser } from '../browser/find.ts'
import { type CheckReport, describeReport, openCheckers } from '../pool/pool.ts'

const browser = findBrowser(testBrowserPath(), '')
const isThere = { skip: browser === null ? 'there is no Chromium on this machine' : false }
const pool = openCheckers({ size: 1, log: silentLog, browser })

type Access = 'public' | 'members'

/** Returns the sample app with one more page for each mistake. */
function treeOf(
  pages: Record<string, string>,
  { enabled = ['data'], access = 'public' }: { enabled?: string[]; access?: Access } = {},
) {
  const files = new Map(sampleFiles())
  const manifest = JSON.parse(files.get('app.json') ?? '') as { pages: object[]; uses: string[] }
  manifest.uses = enabled
  for (const [name, source] of Object.entries(pages)) {
    manifest.pages.push({ path: `/${name.toLowerCase()}`, file: `${name}.tsx`, title: name, access })
    files.set(`web/pages/${name}.tsx`, source)
  }
  files.set('app.json', JSON.stringify(manifest, null, 2))
  return completeTree(files, new Set(enabled))
}

const kit = (names: string) => `import { ${names} } from '@slipway/app/react'\n`
const react = (names: string) => `import { ${names} } from 'react'\n`
const page = (body: string, before = '') =>
  `${before}\nexport default function View() {\n  ${body.replaceAll('\n', '\n  ')}\n}\n`
const show = (markup: string, before = '') => page(`return ${markup}`, before)

const check = (tree: ReadonlyMap<string, string>, more: { enabled?: string[]; changed?: string[] } = {}) =>
  pool.check(tree, { enabled: ['data'], ...more })
const redOf = (report: CheckReport) => report.checks.filter(({ ok }) => !ok).map(({ name }) => name)

/** Returns every error (`RED phase: message`) and every warning (`told phase: message`) of a file. */
const saidOf = (report: CheckReport, file: string) =>
  report.checks.flatMap(({ name, errors, warnings = [] }) => [
    ...errors.filter((error) => error.file === file).map(({ message }) => `RED ${name}: ${message}`),
    ...warnings.filter((error) => error.file === file).map(({ message }) => `told ${name}: ${message}`),
  ])

function assertSaid(report: CheckReport, expected: Record<string, RegExp>): void {
  for (const [name, pattern] of Object.entries(expected)) {
    const said = saidOf(report, `web/pages/${name}.tsx`)
    assert.ok(
      said.some((line) => pattern.test(line)),
      `${name}: ${said.join('\n')}`,
    )
    for (const line of said) assert.doesNotMatch(line, /\n/, name)
  }
}

const files = (changes: Record<string, string>) =>
  completeTree(new Map([...sampleFiles(), ...Object.entries(changes)]), new Set(['data']))

async function waitFor(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    assert.ok(tries < 500, 'it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('mistakes that models make, found without a browser', () => {
  test('the check of an app reports an unknown key in the manifest', async () => {
    const manifest = sampleFiles().get('app.json') ?? ''
    const report = await check(files({ 'app.json': manifest.replace('"required"', '"mandatory"') }))
    assert.match(saidOf(report, 'app.json').join(), /RED manifest: .*mandatory/)
  })

  test('the check of an app reports a used capability that is missing in `uses` of the manifest', async () => {
    const manifest = sampleFiles().get('app.json') ?? ''
    const report = await check(files({ 'app.json': manifest.replace('"uses": ["data"]', '"uses": []') }))
    assert.match(saidOf(report, 'app.json').join(), /RED manifest: .*"data"/)
  })

  test('the check of an app reports a secret in the source', async () => {
    const key = ['sk', '_live_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')
    const report = await check(files({ 'shared/pay.ts': `export const key = '${key}'\n` }))
    assert.match(saidOf(report, 'shared/pay.ts').join(), /^RED secrets: /)
  })

  test('the check of an app reports an import of a package that is not among its dependencies', async () => {
    const report = await check(
      files({ 'web/pages/About.tsx': show('<p>{_.now()}</p>', `import _ from 'lodash'`) }),
    )
    assert.match(saidOf(report, 'web/pages/About.tsx').join(), /^RED bundle: .*lodash/)
  })

  test('the check of an app reports ten common mistakes in React pages', async () => {
    const tree = treeOf({
      Prop: show('<Button kind="main">Add</Button>', kit('Button')),
      Null: show(`<p>{useRecord('plants', 'x').record.name}</p>`, kit('useRecord')),
      Race: page(
        'const { id } = useParams()\nuseEffect(() => {\n  document.title = String(id)\n}, [])\nreturn <p>{id}</p>',
        react('useEffect') + kit('useParams'),
      ),
      Throws: page('const list: string[] = []\nreturn <p>{list[3]!.length}</p>'),
      Optional: page(
        `const { rows } = useQuery('plants')\nreturn <p>{rows.map((row) => row.room!.length).join()}</p>`,
        kit('useQuery'),
      ),
      Label: show('<input placeholder="Search" />'),
      Icon: show('<button type="button"><svg /></button>'),
      Picture: show('<img src="/icon.svg" />'),
      Primaries: show(
        '<><Button kind="primary">A</Button><Button kind="primary">B</Button></>',
        kit('Button'),
      ),
      Clock: show('<p>{new Date().toISOString()}</p>'),
    })
    assertSaid(await check(tree), {
      Prop: /^RED types: .*"main"/,
      Null: /^RED types: .*possibly 'null'/,
      Race: /^told lint: .*missing dependency/,
      Throws: /^RED boot: Rendering .* failed: TypeError/,
      Optional: /^RED boot: .*without its optional fields failed/,
      Label: /^RED boot: <input .* has no label: use a field of the kit/,
      Icon: /^RED boot: <button .* has no name: write text inside/,
      Picture: /^RED boot: <img .* has no alt: say what it shows/,
      Primaries: /^told boot: 2 buttons are kind="primary": keep that/,
      Clock: /^RED lint: .*impure function during render\. Use useToday\(\) or useNow\(\)/,
    })
  })
})

describe('mistakes that only a browser shows', isThere, () => {
  let report: CheckReport
  before(async () => {
    const tree = treeOf({
      Wide: show('<div className="wide" style={{ width: 900 }}>Too wide</div>'),
      Endless: page(
        'const [rows, setRows] = useState<string[]>([])\nuseEffect(() => {\n  void Promise.resolve([...rows]).then(setRows)\n})\nreturn <p>{rows.length}</p>',
        react('useEffect, useState'),
      ),
      Faint: show('<p style={{ color: "#ccc", background: "#fff" }}>Hard to read</p>'),
      Cut: show(
        '<p style={{ width: 60, overflow: "hidden", whiteSpace: "nowrap" }}>A long text that has no room</p>',
      ),
      Dead: show('<Link to="/nowhere">Read on</Link>', kit('Link')),
      Nested: show('<button type="button">Go to <a href="/about">About</a></button>'),
      Covered: show(
        '<div style={{ position: "relative" }}><button type="button">Save</button><div className="cover" style={{ position: "absolute", inset: 0 }} /></div>',
      ),
      Effect: page(
        `useEffect(() => {\n  document.querySelector('#none')!.remove()\n}, [])\nreturn <p>Text</p>`,
        react('useEffect'),
      ),
      Small: show(
        '<><button type="button" style={{ all: "unset", width: 12, height: 12 }}>x</button><textarea aria-label="Code" onKeyDown={(event) => event.key === "Tab" && event.preventDefault()} /></>',
      ),
      Loud: page(`useEffect(() => console.error('lost'), [])\nreturn <p>Text</p>`, react('useEffect')),
    })
    report = await check(tree, { changed: ['web/pages/Cut.tsx'] })
  })

  test('each problem that the check finds in a rendered page is one line with the page, the element and the fix', () => {
    assert.deepEqual(redOf(report), ['pages'], describeReport(report))
    assertSaid(report, {
      Wide: /^RED pages: \/wide \(.*390 px\): <div class="wide"> “Too wide” is 900 px wide .*let it wrap or shrink/,
      Endless: /^RED pages: \/endless \(.*renders without end: an effect sets state on every render/,
      Faint:
        /^RED pages: .*<p> “Hard to read” has too little contrast \(1\.6:1 of 4\.5:1\): use colours of the kit/,
      Cut: /^told pages: .*has cut text: give it room/,
      Dead: /^told pages: .*<a href="\/nowhere"> “Read on” leads to no page: /,
      Nested: /^RED pages: .*is a control inside another one: take it out/,
      Covered: /^told pages: .*<button type="button"> “Save” is covered by <div class="cover">/,
      Effect: /^RED pages: .*throws: Cannot read properties of null/,
      Small: /^told pages: .*“x” is 12 px small: a finger needs 24 px/,
      Loud: /^RED pages: .*throws: lost/,
    })
    assertSaid(report, {
      Small:
        /^told pages: .*<textarea aria-label="Code"> keeps the Tab key, so a keyboard cannot leave it: let Tab through/,
    })
    const thrown = report.checks
      .flatMap(({ errors }) => errors)
      .find(({ message }) => /of null/.test(message))
    assert.equal(thrown?.line, 5, 'the position is in the source of the page')
    assert.deepEqual(saidOf(report, 'web/pages/Plants.tsx'), [], 'the sound pages beside them are left alone')
  })

  test('the first changed page is captured as a JPEG at widths of 1280 and 390 pixels, in less than 100 kB each', () => {
    const { pictures = [] } = report
    assert.deepEqual(
      pictures.map(({ page, width }) => [page, width]),
      [
        ['web/pages/Cut.tsx', 1280],
        ['web/pages/Cut.tsx', 390],
      ],
    )
    for (const { bytes } of pictures) {
      assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xd8, 0xff], 'a JPEG')
      assert.ok(bytes.length < 100_000)
    }
  })
})

describe('the browser of a check', isThere, () => {
  after(() => pool.close())

  test('a check opens a page for members as a signed-in person, and passes for a correct app', async () => {
    const members = show(`<h1>{useUser()?.name ?? 'Visitor'}</h1>`, kit('useUser'))
    const effect = page(
      `const user = useUser()\nuseEffect(() => {\n  if (user) throw new Error(user.name)\n}, [user])\nreturn <p>Text</p>`,
      react('useEffect') + kit('useUser'),
    )
    const enabled = ['auth', 'data']
    const sound = await check(treeOf({ Members: members }, { enabled, access: 'members' }), { enabled })
    assert.deepEqual(redOf(sound), [], describeReport(sound))
    assert.equal(sound.note, undefined)
    const report = await check(treeOf({ Members: effect }, { enabled, access: 'members' }), { enabled })
    assertSaid(report, { Members: /signed in\): throws: Ada Lovelace/ })
  })

  test("during a check a page reaches no network, file or secret, and none of the browser's programs runs as root", async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(String(request.url))
      response.end('x')
    })
    server.on('upgrade', (request) => asked.push(String(request.url)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const hostile = page(
      `useEffect(() => {
  const tell = (text: string) => console.error('told ' + text)
  const said = (what: string) => (reason: unknown) => tell(what + ' ' + (reason instanceof Error ? 'refused' : String(reason)))
  void fetch('http://${at}/fetch').then(said('fetch'), said('fetch'))
  void fetch('file:///etc/passwd').then(said('file'), said('file'))
  new Image().src = 'http://${at}/image'
  navigator.sendBeacon('http://${at}/beacon', 'x')
  const frame = document.createElement('iframe')
  frame.src = 'http://${at}/frame'
  document.body.append(frame)
  const own = frame.contentWindow as unknown as { WebSocket: typeof WebSocket }
  new own.WebSocket('ws://${at}/socket')
  window.open('http://${at}/popup')
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }] })
  peer.createDataChannel('x')
  void peer.createOffer().then((offer) => peer.setLocalDescription(offer))
}, [])
return <p>Text</p>`,
      react('useEffect'),
    )
    const tree = treeOf({ Hostile: hostile })
    const users = new Map<string, Set<string>>()
    const environments: string[] = []
    const look = setInterval(() => {
      for (const pid of descendants(process.pid, 'chrom')) {
        const read = (name: string) => {
          try {
            return readFileSync(`/proc/${pid}/${name}`, 'utf8')
          } catch {
            return ''
          }
        }
        const name = read('comm').trim()
        const [, uid = ''] = /^Uid:\s+(\d+)/m.exec(read('status')) ?? []
        if (uid !== '') users.set(name, (users.get(name) ?? new Set()).add(uid))
        environments.push(read('environ'))
      }
    }, 20)
    process.env['DATABASE_URL'] = 'postgres://hidden'
    try {
      const report = await check(tree)
      assertSaid(report, { Hostile: /told fetch refused/ })
      assertSaid(report, { Hostile: /told file refused/ })
    } finally {
      delete process.env['DATABASE_URL']
      clearInterval(look)
      server.close()
    }
    assert.deepEqual(asked, [])
    assert.ok(users.size > 0)
    assert.ok(environments.every((text) => !text.includes('hidden')))
    if (process.getuid?.() === 0 && isOpenToAll(import.meta.filename))
      for (const [name, ids] of users) assert.ok(!ids.has('0'), `${name} runs as root`)
  })

  test('a page that hangs or navigates to another site does not prevent the check of other pages', async () => {
    const tree = treeOf({
      Loop: page(
        'useEffect(() => {\n  for (;;) if (document.title === "x") break\n}, [])\nreturn <p>Text</p>',
        react('useEffect'),
      ),
      Away: page(
        'useEffect(() => location.assign("https://elsewhere.example/"), [])\nreturn <p>Text</p>',
        react('useEffect'),
      ),
      Wide: show('<div style={{ width: 900 }}>Too wide</div>'),
    })
    assertSaid(await check(tree), {
      Loop: /^RED pages: \/loop \(.*does not respond: it runs an endless loop/,
      Wide: /^RED pages: .*makes the page scroll sideways/,
    })
  })

  test('a browser killed during a check is restarted once, and after a second kill the check reports that pages were not seen', async () => {
    const slow = page(`useEffect(() => void fetch('/api/slow'), [])\nreturn <p>Text</p>`, react('useEffect'))
    const tree = treeOf({ Slow: slow })
    let kills = 0
    const killing = (max: number) =>
      setInterval(() => {
        const [pid] = kills < max ? descendants(process.pid, '--remote-debugging-pipe') : []
        if (pid === undefined) return
        process.kill(pid, 'SIGKILL')
        kills++
      }, 100)
    const always = killing(Infinity)
    const report = await check(tree).finally(() => clearInterval(always))
    assert.deepEqual(redOf(report), [])
    assert.match(describeReport(report), /^The pages were not seen in a browser, .*ended twice/m)
    assert.ok(kills >= 2)
    kills = 0
    const once = killing(1)
    const again = await check(tree).finally(() => clearInterval(once))
    assert.equal(again.note, undefined)
    assert.ok(again.checks.some(({ name, ok }) => name === 'pages' && ok))
  })

  test('closing the pool of check processes ends the browser, even during a check', async () => {
    // The browser of an earlier check may have ended: a check process that used too much memory is replaced together with its browser.
    const checking = check(treeOf({}))
    await waitFor(() => descendants(process.pid, '--remote-debugging-pipe').length > 0)
    await Promise.all([pool.close(), checking.catch(() => {})])
    await waitFor(() => descendants(process.pid, 'chrom').length === 0)
  })
})

test('without a browser the report says in one line that pages were not opened, and how to install one', async () => {
  const other = openCheckers({ size: 1, log: silentLog })
  try {
    const report = await other.check(treeOf({}), { enabled: ['data'] })
    assert.match(describeReport(report), /^The pages were not seen in a browser.*SLIPWAY_CHROMIUM/m)
    assert.ok(!report.checks.some(({ name }) => name === 'pages'))
  } finally {
    await other.close()
  }
})

describe('finding a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'browsers-'))
  const program = join(folder, 'chrome-headless-shell')
  before(() => {
    writeFileSync(program, '')
    chmodSync(program, 0o755)
  })
  after(() => rmSync(folder, { recursive: true }))

  test('a configured browser path whose file does not exist finds no browser, even if PATH has one', () => {
    assert.equal(findBrowser(program, ''), program)
    assert.equal(findBrowser(join(folder, 'gone'), folder), null)
  })

  test('without a configured browser path, a browser in PATH is used', () => {
    assert.equal(findBrowser(null, `/nowhere:${folder}`), program)
  })
})
