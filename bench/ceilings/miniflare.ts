import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { OBJECT_WORKER } from './workers.ts'

/** A process in which Miniflare is loaded. It can start and stop a worker with a Durable Object repeatedly. */
export interface BareMiniflare {
  /** Returns the address of the worker's own socket. */
  start(): Promise<string>
  stop(): Promise<void>
  close(): void
}

export function openMiniflare(): BareMiniflare {
  const child = fork(join(import.meta.dirname, 'miniflare-child.mjs'), { stdio: 'ignore' })
  return {
    async start() {
      child.send(OBJECT_WORKER)
      const [{ url }] = (await once(child, 'message')) as [{ url: string }]
      return url
    },
    async stop() {
      child.kill('SIGUSR2')
      await once(child, 'message')
    },
    close: () => void child.kill(),
  }
}
