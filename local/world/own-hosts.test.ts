import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { rejectForeignHosts } from './own-hosts.ts'

const app = new Hono().use(rejectForeignHosts).all('*', (c) => c.text('reached'))
const statusFor = async (host: string | null) => {
  const request = new Request('http://127.0.0.1:4310/_control/ready')
  if (host !== null) request.headers.set('host', host)
  return (await app.fetch(request)).status
}

test('a request with a host name of this machine reaches the stand-ins, with any port and in upper or lower case', async () => {
  const statuses = []
  for (const host of ['127.0.0.1:4310', '127.0.0.1', 'localhost:80', 'LOCALHOST:4310', '[::1]:4310', '[::1]'])
    statuses.push(await statusFor(host))
  assert.deepEqual(statuses, Array<number>(6).fill(200))
})

test('a request with any other host name, even a similar one, is refused', async () => {
  const hosts = [
    'evil.example:4310',
    'evil.example',
    '127.0.0.1.evil.example:4310',
    'localhost.evil.example',
    'shop.localhost:4310',
    'evil.example:80:4310',
    'evil@127.0.0.1:4310',
    '127.0.0.2',
    '0.0.0.0:4310',
    '[::ffff:127.0.0.1]:4310',
    'localhost:x',
    '',
    null,
  ]
  const statuses = []
  for (const host of hosts) statuses.push([host, await statusFor(host)])
  assert.deepEqual(
    statuses,
    hosts.map((host) => [host, 421]),
  )
})
