import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { ROOT } from '../lib.ts'
import { BuildFrame, SnapshotFrame } from '../../server/agent/frames.ts'
import { type CloudApp, openCloudApp, until } from '../../server/releases/testing.ts'

const run = promisify(execFile)
const guide = readFileSync(join(ROOT, 'docs/guides/sdk.md'), 'utf8')
const codeBlocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)

describe('the guide of the SDK', () => {
  let cloud: CloudApp
  let folder: string
  const program = () => join(folder, 'first-app.ts')
  before(async () => {
    cloud = await openCloudApp()
    folder = mkdtempSync(join(tmpdir(), 'slipway-sdk-guide-'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), codeBlocks('json')[0] ?? '')
    writeFileSync(program(), codeBlocks('ts').join('\n'))
  })
  after(async () => {
    await cloud.close()
    rmSync(folder, { recursive: true })
  })

  test('the samples of the SDK guide pass the type check with the compiler options of the guide', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout, stderr } = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    )
    assert.equal(stdout + stderr, '')
  })

  test('the program of the SDK guide builds an app, ships it and follows a second build', async () => {
    const person = await cloud.app.signUp('Ada')
    await until(async () => {
      const { data } = await person.call<{ cloudflare: { connected: boolean } }>('GET /connections')
      return data.cloudflare.connected
    })
    const { key } = await cloud.app.keyFor(person, [
      'projects:read',
      'projects:write',
      'tickets:write',
      'build:write',
      'deploy:write',
    ])
    const server = serve({ fetch: cloud.app.app.fetch, hostname: '127.0.0.1', port: 0 })
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const { stdout } = await run(process.execPath, [program()], {
        env: { ...process.env, SLIPWAY_URL: `http://127.0.0.1:${port}`, SLIPWAY_API_KEY: key },
      })
      const lines = stdout.trimEnd().split('\n')
      const expected = [
        /^Connected to Ada's organization$/,
        /^Track my plants with name and room: built$/,
        /^The app is live at http:\/\/garden\.ada\.localhost:\d+$/,
        /^write app\.json$/,
        /^check: green$/,
        /^Each plant has a note: built$/,
        /^not_found \(404\): No such project\. Request [\w-]{36}\.$/,
        /^The same ticket: true$/,
        /^3 tickets$/,
      ]
      const seen = lines.filter((line, index) => line !== lines[index - 1])
      assert.equal(seen.length, expected.length, stdout)
      for (const [index, pattern] of expected.entries()) assert.match(seen[index] ?? '', pattern)
    } finally {
      server.close()
    }
  })

  test('the SDK guide describes every type of frame of a build stream', () => {
    const rows = guide.slice(guide.indexOf('| Frame')).split('\n\n')[0] ?? ''
    const described = [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, type]) => type)
    const types = [...BuildFrame.options, SnapshotFrame].map(({ shape }) => shape.type.value)
    assert.deepEqual(described.toSorted(), [...types, 'resuming'].toSorted())
  })
})
