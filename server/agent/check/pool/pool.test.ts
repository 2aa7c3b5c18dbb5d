import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { silentLog } from '../../../testing/database.ts'
import { descendants, isGone } from '../../../testing/processes.ts'
import { sampleTree } from '../../../testing/apps/sample-app.ts'
import { memoryOf } from '../../children/processes.ts'
import { describeReport } from '../../check-report.ts'
import { type CheckReport, openCheckers } from './pool.ts'

const pool = openCheckers({ size: 1, log: silentLog })

const options = { enabled: ['data'] }
const check = (changes: Record<string, string> = {}) => pool.check(sampleTree(changes), options)
const redOf = (report: CheckReport) => report.checks.filter(({ ok }) => !ok).map(({ name }) => name)
const firstOf = (report: CheckReport, phase: string) => {
  const error = report.checks.find(({ name }) => name === phase)?.errors[0]
  return error && { at: `${error.file}:${error.line}`, code: error.code, message: error.message }
}
const routes = (body: string) =>
  `import { Hono } from 'hono'\n\nexport const routes = new Hono()\nroutes.get('/x', async (c) => {\n${body}\n})\n`

/** An app with a route that loops until its process is killed. */
const endless = sampleTree({ 'server/routes.ts': routes(`  while (c.req.path) {}\n  return c.text('')`) })

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 1500, 'it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

describe('the pool of checker processes', () => {
  after(() => pool.close())

  test('a correct app passes all eight phases of the check, in the documented order', async () => {
    const report = await check()
    assert.deepEqual(
      redOf(report),
      [],
      JSON.stringify(report.checks.flatMap(({ errors }) => errors).slice(0, 3)),
    )
    assert.deepEqual(
      report.checks.map(({ name }) => name),
      ['manifest', 'paths', 'secrets', 'bundle', 'types', 'lint', 'boot', 'tests'],
    )
  })

  test('prewarming the pool of check processes starts one process, and a second call starts none', async () => {
    const before = new Set(descendants(process.pid, 'pool/child.ts'))
    const other = openCheckers({ size: 2, log: silentLog })
    const started = () => descendants(process.pid, 'pool/child.ts').filter((pid) => !before.has(pid))
    other.warm()
    await until(() => started().length === 1)
    other.warm()
    assert.deepEqual(redOf(await other.check(sampleTree(), options)), [])
    await other.close()
    assert.deepEqual(started(), [])
  })

  test("an invalid manifest fails the check of an app at the manifest's line, and lint still runs", async () => {
    const manifest = sampleTree().get('app.json') ?? ''
    const report = await check({
      'app.json': manifest.replace('"type": "date"', '"type": "day"'),
      'shared/greet.ts': `export const greet = (name: string): string => {\n  debugger\n  return name\n}\n`,
    })
    assert.deepEqual(redOf(report), ['manifest', 'lint'])
    assert.equal(firstOf(report, 'manifest')?.at, 'app.json:18')
    assert.equal(firstOf(report, 'lint')?.at, 'shared/greet.ts:2')
    assert.match(
      describeReport(report),
      /\nnot run, because what is red comes first: bundle, types, boot, tests, pages\n/,
    )
  })

  test('removing a field without a migration fails the check of an app, and the error contains the migration to add', async () => {
    const before = sampleTree().get('app.json') ?? ''
    const changed = before.replace('"room": { "type": "text" },', '')
    const report = await pool.check(sampleTree({ 'app.json': changed }), { ...options, before })
    assert.deepEqual(redOf(report), ['manifest', 'types'], 'what still uses it is reported as well')
    assert.match(
      firstOf(report, 'manifest')?.message ?? '',
      /migrations.*"op":"drop".*room|room.*"op":"drop"/,
    )
  })

  test('a changed platform file fails only the paths phase of the check of an app', async () => {
    const tree = new Map(sampleTree())
    tree.set('platform/server.ts', 'export const mine = 1\n')
    const report = await pool.check(tree, options)
    assert.deepEqual(redOf(report), ['paths'])
    assert.equal(firstOf(report, 'paths')?.at, 'platform/server.ts:0')
  })

  test("a credential in an app's source fails only the secrets phase of the check, at its line", async () => {
    const key = ['sk', '_live_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')
    const report = await check({ 'shared/keys.ts': `export const a = 1\nexport const b = '${key}'\n` })
    assert.deepEqual(redOf(report), ['secrets'])
    assert.equal(firstOf(report, 'secrets')?.at, 'shared/keys.ts:2')
  })

  test('an import of a missing package fails the bundle phase of the check at its line, and the app is not booted', async () => {
    const report = await check({
      'shared/greet.ts': `import axios from 'axios'\nexport const greet = (n: string) => axios(n)\n`,
    })
    assert.equal(firstOf(report, 'bundle')?.at, 'shared/greet.ts:1')
    assert.equal(
      report.checks.some(({ name }) => name === 'boot'),
      false,
    )
  })

  test('a wrong field name fails only the types phase of the check, at its line', async () => {
    const about = `import { useQuery } from '@slipway/app/react'\n\nexport default function About() {\n  const { rows } = useQuery('plants')\n  return <p>{rows.map((plant) => plant.colour)}</p>\n}\n`
    const report = await check({ 'web/pages/About.tsx': about })
    assert.deepEqual(redOf(report), ['types'])
    assert.deepEqual(firstOf(report, 'types')?.at, 'web/pages/About.tsx:5')
    assert.equal(firstOf(report, 'types')?.code, 'TS2339')
  })

  test('types and lint run in parallel, and the errors of both are reported', async () => {
    const report = await check({
      'shared/greet.ts': `export const greet = (name: string): string => {\n  debugger\n  return name.size\n}\n`,
    })
    assert.deepEqual(redOf(report), ['types', 'lint'])
    assert.equal(firstOf(report, 'types')?.at, 'shared/greet.ts:3')
    assert.equal(firstOf(report, 'lint')?.at, 'shared/greet.ts:2')
  })

  test('PBKDF2 with more iterations than production accepts fails only the lint phase of the check of an app', async () => {
    const hash = `const ROUNDS = 600_000\nexport const hash = (key: CryptoKey, salt: BufferSource) =>\n  crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }, key, 256)\n`
    const report = await check({ 'shared/hash.ts': hash })
    assert.deepEqual(redOf(report), ['lint'])
    assert.deepEqual(firstOf(report, 'lint')?.at, 'shared/hash.ts:3')
  })

  test('reading the clock in a render and setting state in an effect fail the check, and the messages suggest a fix', async () => {
    const page = (effect: string) => `import { useEffect, useState } from 'react'

const load = () => Promise.resolve(1)
export default function About() {
  const [rows, setRows] = useState(0)
  useEffect(() => { ${effect} }, [])
  return <p>{rows}</p>
}
`
    const now = page('void load().then(setRows)').replace('{rows}', '{rows}{new Date().getTime()}')
    const purity = firstOf(await check({ 'web/pages/About.tsx': now }), 'lint')
    assert.match(
      purity?.message ?? '',
      /^Cannot call impure function during render\. Use useToday\(\) or useNow\(\)/,
    )
    const setting = firstOf(await check({ 'web/pages/About.tsx': page('setRows(2)') }), 'lint')
    assert.match(setting?.message ?? '', /load\(\)\.then\(setRows\) \}, \[\]\)\.$/)
    const accepted = await check({ 'web/pages/About.tsx': page('void load().then(setRows)') })
    assert.deepEqual(redOf(accepted), [])
  })

  test('a conditional hook fails lint, and a missing hook dependency is a warning', async () => {
    const about = `import { useEffect, useState } from 'react'

function Name({ id }: { id: string }) {
  useEffect(() => { document.title = id }, [])
  if (id) return <p>{useState(1)[0]}</p>
  return null
}
export default function About() {
  return <Name id="x" />
}
`
    const report = await check({ 'web/pages/About.tsx': about })
    assert.deepEqual(redOf(report), ['lint'])
    assert.equal(firstOf(report, 'lint')?.at, 'web/pages/About.tsx:5')
    const warnings = report.checks.find(({ name }) => name === 'lint')?.warnings ?? []
    assert.deepEqual(
      warnings.map(({ line, code }) => `${line} ${code}`),
      ['4 react-hooks(exhaustive-deps)'],
    )
  })

  test('a route that throws fails the boot phase, at the line that throws', async () => {
    const report = await check({
      'server/routes.ts': routes(`  if (c.req.path) throw new Error('no such luck')\n  return c.text('')`),
    })
    assert.deepEqual(
      redOf(report).filter((name) => name !== 'tests'),
      ['boot'],
    )
    assert.equal(firstOf(report, 'boot')?.at, 'server/routes.ts:5')
    assert.match(firstOf(report, 'boot')?.message ?? '', /GET \/api\/x returned status 500: .*no such luck/)
  })

  test('a module that throws while it is loaded fails the boot phase, at its line', async () => {
    const report = await check({
      'server/routes.ts': `import { Hono } from 'hono'\n\nexport const routes = new Hono()\nconst settings: Record<string, string> = {}\nif (!settings['x']) throw new Error('no x')\n`,
    })
    assert.deepEqual(redOf(report), ['boot'])
    assert.equal(firstOf(report, 'boot')?.at, 'server/routes.ts:5')
  })

  test('a page that cannot be rendered fails the boot phase, at the line of the throw', async () => {
    const about = `export default function About() {\n  const list: string[] = []\n  return <p>{list[3]!.length}</p>\n}\n`
    const report = await check({ 'web/pages/About.tsx': about })
    assert.deepEqual(redOf(report), ['boot'])
    assert.equal(firstOf(report, 'boot')?.at, 'web/pages/About.tsx:3')
  })

  test('a page that throws on records without their optional fields fails the boot phase, at the line of the throw', async () => {
    const about = `import { useQuery } from '@slipway/app/react'\n\nexport default function About() {\n  const { rows } = useQuery('plants')\n  return <p>{rows.map((row) => row.room!.length).join()}</p>\n}\n`
    const report = await check({ 'web/pages/About.tsx': about })
    assert.deepEqual(redOf(report), ['boot'])
    assert.equal(firstOf(report, 'boot')?.at, 'web/pages/About.tsx:5')
    assert.match(firstOf(report, 'boot')?.message ?? '', /without its optional fields failed: TypeError/)
  })

  test('controls without an accessible name fail the boot phase, but two primary buttons are only a warning', async () => {
    const about = `import { Button } from '@slipway/app/react'\n\nexport default function About() {\n  return (\n    <>\n      <input placeholder="Search" />\n      <button type="button" className="x" />\n      <img src="/icon.svg" />\n      <Button kind="primary">Add</Button>\n      <Button kind="primary">Send</Button>\n    </>\n  )\n}\n`
    const report = await check({ 'web/pages/About.tsx': about })
    assert.deepEqual(redOf(report), ['boot'])
    const boot = report.checks.find(({ name }) => name === 'boot')
    assert.deepEqual(
      boot?.errors.map(({ file, message }) => [file, message.split(':')[0]]),
      [
        ['web/pages/About.tsx', '<button type="button"> has no name'],
        ['web/pages/About.tsx', '<img src="/icon.svg"> has no alt'],
        ['web/pages/About.tsx', '<input placeholder="Search"> has no label'],
      ],
    )
    assert.match(boot?.warnings?.[0]?.message ?? '', /^2 buttons are kind="primary"/)
  })

  test('a failing app test fails only the tests phase of the check, at the line of the expectation', async () => {
    const failing = `import { app, expect, test } from '@slipway/app/testing'\n\ntest('count', async () => {\n  expect((await app.get('/api/count')).body).toEqual({ count: 7 })\n})\n`
    const report = await check({ 'tests/plants.test.ts': failing })
    assert.deepEqual(redOf(report), ['tests'])
    assert.equal(firstOf(report, 'tests')?.at, 'tests/plants.test.ts:4')
  })

  test('an app with a collection and no test fails the check', async () => {
    const tree = new Map(sampleTree())
    tree.delete('tests/plants.test.ts')
    const report = await pool.check(tree, options)
    assert.deepEqual(redOf(report), ['tests'])
    assert.equal(firstOf(report, 'tests')?.code, 'tests_required')
  })

  test('a route that loops without end fails the boot phase of the check with a timeout, and the next check passes', async () => {
    const report = await check({ 'server/routes.ts': routes(`  while (c.req.path) {}\n  return c.text('')`) })
    assert.equal(firstOf(report, 'boot')?.code, 'timeout')
    assert.ok(report.checks.length > 1, 'the route was stopped, not the whole check')
    assert.deepEqual(redOf(await check()), [])
  })

  test('a route whose regular expression backtracks without end fails the boot phase of the check with a timeout', async () => {
    const report = await check({
      'server/routes.ts': routes(`  return c.text(String(/^(a+)+$/.test('a'.repeat(60) + '!')))`),
    })
    assert.equal(firstOf(report, 'boot')?.code, 'timeout')
  })

  test('a route that takes all memory fails the boot phase of the check with the error code "memory"', async () => {
    const report = await check({
      'server/routes.ts': routes(
        `  const all: Uint8Array[] = []\n  while (c.req.path) {\n    all.push(new Uint8Array(2e7).fill(1))\n    await new Promise((resolve) => setTimeout(resolve, 1))\n  }\n  return c.text('')`,
      ),
    })
    assert.equal(firstOf(report, 'boot')?.code, 'memory')
  })

  test('a type check that takes all memory is stopped near its memory limit', async () => {
    const digit = `'0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'`
    // Each type is a union of 90,000 strings, because the compiler refuses unions of 100,000 or more. The strings are long, so that a few
    // types fill the memory.
    const types = Array.from({ length: 30 }, (_, i) => {
      const parts = `\${E${i}}${`\${D${i}}`.repeat(4)}-${i}-\${Long}`
      return `type D${i} = ${digit}\ntype E${i} = Exclude<D${i}, '0'>\nexport type T${i} = \`${parts}\`\nexport const t${i}: T${i} = \`10000-${i}-\${long}\`\n`
    })
    const long = `const long = '${'x'.repeat(5_000)}'\ntype Long = typeof long\n`
    // The memory limit of a check process plus a tenth. The pool may need a second to notice that a process is above its limit.
    const bytesMax = 1280 * 1024 ** 2 * 1.1
    let lastBelowAt = performance.now()
    let overMs = 0
    const look = setInterval(() => {
      const held = descendants(process.pid, 'pool/child.ts').map((pid) =>
        memoryOf(pid).reduce((sum, { bytes }) => sum + bytes, 0),
      )
      if (Math.max(0, ...held) <= bytesMax) lastBelowAt = performance.now()
      overMs = Math.max(overMs, performance.now() - lastBelowAt)
    }, 50)
    try {
      const report = await check({ 'shared/hungry.ts': long + types.join('') })
      const [found] = report.checks.flatMap(({ errors }) => errors)
      // On a busy machine the time limit may end the check before the memory limit does.
      assert.match(
        found?.message ?? '',
        /used up its memory|took longer|did not end in time|ended unexpectedly/,
      )
    } finally {
      clearInterval(look)
    }
    assert.ok(overMs < 1_000, `over its limit for ${Math.round(overMs)} ms`)
    assert.deepEqual(redOf(await check()), [])
  })

  test('check processes and their descendants are marked to be killed first when the machine runs out of memory', async () => {
    await check()
    const [checker = 0] = descendants(process.pid, 'pool/child.ts')
    const scores = [checker, ...descendants(checker, '')].flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()]
      } catch {
        // The runtime of the finished check may end while the processes are read.
        return []
      }
    })
    assert.ok(scores.length > 1)
    assert.deepEqual([...new Set(scores)], ['900'])
  })

  test('cancelling a check ends every process that the check started', async () => {
    const other = openCheckers({ size: 1, log: silentLog })
    try {
      const before = new Set(descendants(process.pid, ''))
      const cancel = new AbortController()
      const running = other.check(endless, { ...options, signal: cancel.signal })
      await until(() => descendants(process.pid, 'workerd').some((pid) => !before.has(pid)))
      const checkers = descendants(process.pid, 'pool/child.ts').filter((pid) => !before.has(pid))
      const started = checkers.flatMap((pid) => [pid, ...descendants(pid, '')])
      cancel.abort(new Error('cancelled'))
      await assert.rejects(running, /cancelled/)
      for (const pid of started) assert.ok(await isGone(pid), `${pid} is still there`)
      assert.deepEqual(redOf(await other.check(sampleTree(), options)), [])
    } finally {
      await other.close()
    }
  })

  test('during a check neither the app nor its tests can reach the network', async () => {
    let connections = 0
    const server = createServer((_request, response) => response.end('reached'))
    server.on('connection', () => connections++)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const call = `fetch('${url}').then((r) => r.text(), (e: Error) => e.message)`
    try {
      const report = await check({
        'server/routes.ts': routes(`  return c.json({ seen: await ${call} })`),
        'tests/plants.test.ts': `import { app, expect, test } from '@slipway/app/testing'\n\ntest('net', async () => {\n  expect(await ${call}).toMatch('network is off')\n  expect(JSON.stringify((await app.get('/api/x')).body)).toMatch('network is off')\n})\n`,
      })
      assert.deepEqual(redOf(report), [], JSON.stringify(report.checks.flatMap(({ errors }) => errors)))
      assert.equal(connections, 0)
    } finally {
      server.close()
    }
  })

  test('a check process that is killed during a job is replaced and the job is retried', async () => {
    const running = check()
    const [child] = descendants(process.pid, 'pool/child.ts')
    assert.ok(child)
    process.kill(child, 'SIGKILL')
    assert.deepEqual(redOf(await running), [])
  })

  test('a check that exceeds its time limit fails, and the check process ends', async () => {
    const before = new Set(descendants(process.pid, ''))
    const other = openCheckers({ size: 1, log: silentLog, jobTimeoutMs: 100 })
    const report = await other.check(sampleTree(), options)
    assert.deepEqual(redOf(report), ['boot'])
    assert.equal(firstOf(report, 'boot')?.code, 'timeout')
    const left = descendants(process.pid, 'pool/child.ts').filter((pid) => !before.has(pid))
    assert.deepEqual(left, [])
    await other.close()
  })

  test('bundling an app for a deployment returns bytes without tests, and a failure rejects with file and line', async () => {
    const bundle = await pool.bundle(sampleTree(), {})
    const html = bundle.web['/index.html']
    assert.ok(html?.bytes instanceof Uint8Array)
    assert.match(Buffer.from(html.bytes).toString('utf8'), /^<!doctype html>/)
    assert.equal(bundle.tests, undefined)
    await assert.rejects(
      pool.bundle(sampleTree({ 'web/main.tsx': 'import "nope"' }), {}),
      /does not bundle: web\/main\.tsx:1/,
    )
  })

  test('bundle jobs finish in the order they were submitted', async () => {
    const order: number[] = []
    await Promise.all([1, 2, 3].map((n) => pool.bundle(sampleTree(), {}).then(() => order.push(n))))
    assert.deepEqual(order, [1, 2, 3])
  })

  test('closing the pool of check processes ends every started process, even during a check', async () => {
    const before = new Set(descendants(process.pid, ''))
    const other = openCheckers({ size: 2, log: silentLog })
    const running = Promise.allSettled([other.check(endless, options), other.check(endless, options)])
    await until(() => descendants(process.pid, 'workerd').filter((pid) => !before.has(pid)).length >= 2)
    // Only the check processes and their descendants, because the test database may start processes in the meantime.
    const checkers = descendants(process.pid, 'pool/child.ts').filter((pid) => !before.has(pid))
    const started = checkers.flatMap((pid) => [pid, ...descendants(pid, '')])
    assert.ok(started.length > checkers.length)
    await other.close()
    await running
    for (const pid of started) assert.ok(await isGone(pid), `${pid} is still there`)
    await assert.rejects(other.bundle(sampleTree(), {}), /closed/)
  })

  test('killing the service ends all of its check and runtime processes', async () => {
    const script = `
    import { openCheckers } from ${JSON.stringify(import.meta.resolve('./pool.ts'))}
    import { sampleTree } from ${JSON.stringify(import.meta.resolve('../../../testing/apps/sample-app.ts'))}
    import { silentLog } from ${JSON.stringify(import.meta.resolve('../../../testing/database.ts'))}
    const tree = sampleTree({ 'server/routes.ts': ${JSON.stringify(endless.get('server/routes.ts'))} })
    await openCheckers({ size: 1, log: silentLog }).check(tree, { enabled: ['data'] })`
    const service = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
    await until(() => descendants(service.pid ?? 0, 'workerd').length > 0)
    const started = descendants(service.pid ?? 0, '')
    service.kill('SIGKILL')
    for (const pid of started) assert.ok(await isGone(pid), `${pid} is still there`)
  })

  test('a check process has none of the secrets of the service', async () => {
    process.env['SLIPWAY_CANARY'] = 'canary-in-the-environment'
    const other = openCheckers({ size: 1, log: silentLog })
    try {
      const before = new Set(descendants(process.pid, ''))
      const running = Promise.allSettled([other.check(endless, options)])
      await until(() => descendants(process.pid, 'workerd').some((pid) => !before.has(pid)))
      // Only the check processes and their descendants, because the test database may start processes in the meantime.
      const checkers = descendants(process.pid, 'pool/child.ts').filter((pid) => !before.has(pid))
      const started = checkers.flatMap((pid) => [pid, ...descendants(pid, '')])
      assert.ok(started.length > checkers.length)
      for (const pid of started) assert.equal(environmentOf(pid).includes('canary'), false, `${pid} knows it`)
      await other.close()
      await running
    } finally {
      delete process.env['SLIPWAY_CANARY']
      await other.close()
    }
  })
})
