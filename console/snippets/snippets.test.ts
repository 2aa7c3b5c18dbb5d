import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook, verifySignature } from '@slipway/sdk/webhook.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzbmlwcGV0cw=='
const EVENT = JSON.stringify({ id: 'evt_1', type: 'ticket.created', data: { title: 'Ä "quoted" 🌱' } })

const isHere = (command: string) => spawnSync(command, ['--version']).status === 0
const readSnippet = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

let folder: string
/** Applies `change` to a snippet and writes the result to a file that can be run. Returns the path of the file. */
function writeProgram(name: string, change: (source: string) => string = (source) => source): string {
  const file = join(folder, name.replace('.txt', ''))
  writeFileSync(file, change(readSnippet(name)))
  return file
}

/** Repeats a POST request until the receiver accepts connections, and returns the response status. Throws when the receiver has exited. */
async function postTo(child: ChildProcess, port: number, header: string | null, body: string) {
  for (;;) {
    assert.equal(child.exitCode, null, 'the receiver ended')
    try {
      const headers = header === null ? {} : { 'service-signature': header }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    } catch {
      await sleep(50)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('snippets', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-snippets-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  describe('the example webhook receivers that the console shows', () => {
    for (const { name, command } of [
      { name: 'receiver.mjs.txt', command: process.execPath },
      { name: 'receiver.py.txt', command: 'python3' },
    ])
      test(
        `the example webhook receiver ${name} accepts a signed request and rejects all others`,
        { skip: !isHere(command) },
        async () => {
          const port = await freePort()
          const file = writeProgram(name, (source) => source.replace('3000', String(port)))
          const child = spawn(command, [file], { env: { ...process.env, SLIPWAY_WEBHOOK_SECRET: SECRET } })
          let printed = ''
          child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
          try {
            const post = (header: string | null, body: string = EVENT) => postTo(child, port, header, body)
            const at = (seconds: number) =>
              signWebhook({ payload: EVENT, secret: SECRET, now: new Date(Date.now() + seconds * 1000) })
            const good = await at(0)
            assert.equal(await post(good), 204)
            assert.equal(await post(await at(-290)), 204)
            assert.equal(await post(await at(-310)), 401, 'too old')
            assert.equal(await post(await at(310)), 401, 'from the future')
            assert.equal(await post(good, EVENT.replace('evt_1', 'evt_2')), 401, 'other bytes')
            assert.equal(await post(await signWebhook({ payload: EVENT, secret: 'whsec_other' })), 401)
            for (const bad of [null, '', good.toUpperCase(), `${good},v1=0`])
              assert.equal(await post(bad), 401)
            while (!printed.includes('evt_1 ticket.created')) await sleep(20)
          } finally {
            child.kill()
          }
        },
      )
  })

  describe('the example idea senders that the console shows', () => {
    for (const { name, command, needs } of [
      { name: 'idea.sh.txt', command: 'bash', needs: ['bash', 'curl', 'openssl'] },
      { name: 'idea.mjs.txt', command: process.execPath, needs: [process.execPath] },
      { name: 'idea.py.txt', command: 'python3', needs: ['python3'] },
    ]) {
      const isRunnable = needs.every((one) => isHere(one) || spawnSync(one, ['version']).status === 0)
      test(`the idea sender ${name} signs exactly the bytes it sends`, { skip: !isRunnable }, async () => {
        const posts: { header: string | undefined; body: string }[] = []
        const server = createServer((request, response) => {
          let body = ''
          request.on('data', (chunk: Buffer) => (body += chunk.toString()))
          request.on('end', () => {
            posts.push({ header: request.headers['service-signature'] as string | undefined, body })
            response.writeHead(202).end()
          })
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as { port: number }
        try {
          const url = `http://127.0.0.1:${port}/i/ing_1`
          const env = { ...process.env, SLIPWAY_IDEAS_URL: url, SLIPWAY_IDEAS_SECRET: SECRET }
          const child = spawn(command, [writeProgram(name)], { env })
          let printed = ''
          child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
          const code = await new Promise((resolve) => child.once('close', resolve))
          assert.equal(code, 0)
          const [post] = posts
          assert.ok(post)
          await verifySignature({ payload: post.body, header: post.header, secret: SECRET })
          assert.deepEqual(JSON.parse(post.body), {
            title: 'Dark mode',
            text: 'My eyes hurt at night.',
            id: 'forum-42',
          })
          assert.match(printed, /202/)
        } finally {
          server.close()
        }
      })
    }
  })
})
