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
    runtimes().forEach(endProcess)
  }
  const timer = setInterval(() => {
    if (!runtimes().some((pid) => residentBytes(pid) > MEMORY_BYTES_MAX)) return
    onExceeded()
    kill()
  }, POLL_MS)
  return { kill, stop: () => clearInterval(timer) }
}

function runtimes(): number[] {
  return list('/proc/self/task')
    .flatMap((thread) => read(`/proc/self/task/${thread}/children`).split(' '))
    .map(Number)
    .filter((pid) => pid > 0 && read(`/proc/${pid}/comm`).trim() === 'workerd')
}

const residentBytes = (pid: number) => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES

// Threads and processes end while they are looked at: one that is gone must not hide the others.
function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
