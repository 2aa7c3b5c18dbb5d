import { readdirSync, readFileSync } from 'node:fs'

export interface ProgramMemory {
  name: string
  bytes: number
}

/**
 * Returns the memory of a process and its descendants from /proc. Does not count shared program files. On a system without
 * /proc the list is empty, and time limits are the only guard.
 */
export function memoryOf(pid: number): ProgramMemory[] {
  const found: ProgramMemory[] = []
  for (const waiting = [pid]; waiting.length > 0;) {
    const next = waiting.pop() ?? 0
    found.push(processOf(next))
    waiting.push(...childrenOf(next))
  }
  return found
}

export function childrenOf(pid: number): number[] {
  return listFolderOrEmpty(`/proc/${pid}/task`)
    .flatMap((thread) => readFileOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' '))
    .map(Number)
    .filter((child) => child > 0)
}

export function processOf(pid: number): ProgramMemory {
  const status = readFileOrEmpty(`/proc/${pid}/status`)
  return {
    name: /^Name:\s+(.*)$/m.exec(status)?.[1] ?? '',
    bytes: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
  }
}

// A thread or process may end while it is read. It then counts as empty, so that the other processes are still read.
function listFolderOrEmpty(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readFileOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
