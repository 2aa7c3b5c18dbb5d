import { readdirSync, readFileSync } from 'node:fs'

const MEMORY_BYTES_MAX = 512 * 1024 * 1024
const POLL_MS = 100
const PAGE_BYTES = 4096

/**
 * Watches the memory of the runtimes this process has started (the cloud gives an app 128 MB; workerd itself
 * allows anything) and kills them when they pass half a gigabyte. Works where /proc does; elsewhere the
 * checker's own time limit is the guard.
 */
export function watchRuntime(onExceeded: () => void): { kill(): void; stop(): void } {
  const kill = () => {
    for (const pid of runtimes()) process.kill(pid, 'SIGKILL')
  }
  const timer = setInterval(() => {
    if (!runtimes().some((pid) => residentBytes(pid) > MEMORY_BYTES_MAX)) return
    onExceeded()
    kill()
  }, POLL_MS)
  return { kill, stop: () => clearInterval(timer) }
}

function runtimes(): number[] {
  try {
    return readdirSync('/proc/self/task')
      .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
      .map(Number)
      .filter((pid) => pid > 0 && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
  } catch {
    return []
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}
