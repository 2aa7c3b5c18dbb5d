import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { undoAfter } from '../testing/undo.ts'

/**
 * A server that echoes each line. The line `throw` makes the socket's handler throw, and `reject` causes an
 * unhandled rejection.
 */
const SERVER = `
  import { createServer } from 'node:net'
  import { pino } from 'pino'
  import { handleUncaughtExceptions } from ${JSON.stringify(import.meta.resolve('./uncaught-exceptions.ts'))}
  handleUncaughtExceptions(pino())
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      const line = data.toString().trim()
      if (line === 'throw') throw new Error('in a socket handler')
      if (line === 'reject') Promise.reject(new Error('beside it'))
      else socket.write(data)
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))`

test('after an exception in a socket handler the process logs it and keeps serving requests; too many exceptions end it', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undoAfter(t, async () => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>
  const port = Number((await nextLine())['port'])

  const throwing = await openSocket(port)
  throwing.write('throw\n')
  assert.deepEqual(pickMessages(await nextLine()), ['an exception reached no handler', 'in a socket handler'])
  throwing.write('reject\n')
  assert.deepEqual(pickMessages(await nextLine()), ['an exception reached no handler', 'beside it'])
  const other = await openSocket(port)
  other.write('still there\n')
  assert.equal(String((await once(other, 'data'))[0]), 'still there\n')

  for (let n = 0; n < 19; n++) {
    const socket = await openSocket(port)
    socket.write('throw\n')
    await nextLine()
  }
  assert.deepEqual(await ended, [1, null])
})

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const pickMessages = ({ msg, err }: Record<string, unknown>) => [msg, (err as { message: string }).message]
